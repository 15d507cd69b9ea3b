class_name StallState
extends RefCounted
## Everything the stall owns, and the rules that change it. No nodes in here.

const PARTS: Array[Dictionary] = [
	{"id": "cog", "name": "Copper cog", "price": 4},
	{"id": "bead", "name": "Glass bead", "price": 3},
	{"id": "peg", "name": "Oak peg", "price": 2},
	{"id": "oil", "name": "Lamp oil", "price": 5},
	{"id": "thread", "name": "Blue thread", "price": 3},
]

const RECIPES: Array[Dictionary] = [
	{"id": "lantern", "name": "Lantern", "needs": ["bead", "oil"], "pays": 16, "time": 1.6},
	{"id": "bird", "name": "Wind-up bird", "needs": ["cog", "peg"], "pays": 13, "time": 1.4},
	{"id": "compass", "name": "Compass", "needs": ["cog", "bead"], "pays": 15, "time": 1.8},
	{"id": "kite", "name": "Kite", "needs": ["peg", "thread"], "pays": 11, "time": 1.0},
]

const UPGRADES: Array[Dictionary] = [
	{"id": "tools", "name": "Finer tools", "cost": 25, "hint": "crafting is faster"},
	{"id": "sign", "name": "Painted sign", "cost": 20, "hint": "more customers"},
	{"id": "stools", "name": "Soft stools", "cost": 18, "hint": "customers wait longer"},
	{"id": "scale", "name": "Honest scale", "cost": 30, "hint": "better prices"},
]

var coins: int = 40
var renown: int = 0
var day: int = 1
var sold_today: int = 0
var earned_today: int = 0
var parts: Dictionary[String, int] = {}
var shelf: Dictionary[String, int] = {}
var levels: Dictionary[String, int] = {}


func _init() -> void:
	for part: Dictionary in PARTS:
		parts[part["id"]] = 1
	for recipe: Dictionary in RECIPES:
		shelf[recipe["id"]] = 0
	for upgrade: Dictionary in UPGRADES:
		levels[upgrade["id"]] = 0


func buy_part(part: Dictionary) -> bool:
	if coins < int(part["price"]):
		return false
	coins -= int(part["price"])
	parts[part["id"]] += 1
	return true


func can_craft(recipe: Dictionary) -> bool:
	for part_id: String in recipe["needs"]:
		if parts[part_id] < 1:
			return false
	return true


func take_parts(recipe: Dictionary) -> void:
	for part_id: String in recipe["needs"]:
		parts[part_id] -= 1


func craft_seconds(recipe: Dictionary) -> float:
	return float(recipe["time"]) / (1.0 + 0.35 * levels["tools"])


func price_of(recipe: Dictionary) -> int:
	return int(recipe["pays"]) + 2 * levels["scale"]


func patience_seconds() -> float:
	return 13.0 + 4.0 * levels["stools"]


func arrival_seconds() -> float:
	return 2.6 / (1.0 + 0.3 * levels["sign"])


func sell(recipe: Dictionary, tip: int) -> bool:
	if shelf[recipe["id"]] < 1:
		return false
	shelf[recipe["id"]] -= 1
	coins += price_of(recipe) + tip
	earned_today += price_of(recipe) + tip
	sold_today += 1
	renown += 1
	return true


func upgrade_cost(upgrade: Dictionary) -> int:
	return int(upgrade["cost"]) * (1 + levels[upgrade["id"]])


func buy_upgrade(upgrade: Dictionary) -> bool:
	var cost: int = upgrade_cost(upgrade)
	if coins < cost:
		return false
	coins -= cost
	levels[upgrade["id"]] += 1
	return true
