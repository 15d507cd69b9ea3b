extends Node2D
## The farm: days and coins, and what the farmer does at the beds.

signal harvested(crop: String)

const REACH := 80.0
const SEED_PRICE := 1
const CROPS := {"mushroom": 3, "cactus": 5, "plum": 8}  ## what can be sown, and what a ripe one brings

var day := 1
var coins := 6
var chosen := "mushroom"  ## what is sown next

@onready var _farmer: CharacterBody2D = $Farmer
@onready var _day_label: Label = $Hud/Day
@onready var _coin_label: Label = $Hud/Coins
@onready var _seed_label: Label = $Hud/Seed


func _ready() -> void:
	_show_numbers()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("work"):
		_work()
	elif event.is_action_pressed("next_seed"):
		var names := CROPS.keys()
		chosen = names[(names.find(chosen) + 1) % names.size()]
		_show_numbers()
	elif event.is_action_pressed("sleep"):
		_next_day()


## Sows or harvests the bed at which the farmer stands.
func _work() -> void:
	for bed in get_tree().get_nodes_in_group("beds"):
		if bed.global_position.distance_to(_farmer.global_position) > REACH:
			continue
		if bed.is_ripe():
			var what: String = bed.harvest()
			coins += CROPS[what]
			harvested.emit(what)
		elif bed.crop == "" and coins >= SEED_PRICE:
			coins -= SEED_PRICE
			bed.sow(chosen)
		break
	_show_numbers()


func _next_day() -> void:
	day += 1
	get_tree().call_group("beds", "grow")
	_show_numbers()


func _show_numbers() -> void:
	_day_label.text = "Day %d" % day
	_coin_label.text = "%d" % coins
	_seed_label.text = "Seed: %s" % chosen
