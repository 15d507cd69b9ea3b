extends Node2D
## The farm: days and coins, and what the farmer does at the beds.

signal harvested(crop: String)
signal saved
signal loaded
signal load_failed(reason: String)

const REACH := 80.0
const SEED_PRICE := 1
const CROPS := {"mushroom": 3, "cactus": 5, "plum": 8}  ## what can be sown, and what a ripe one brings
const FILE := "user://farm.json"
const BAD_FILE := "user://farm.json.bad"
const VERSION := 2
const OLD_VERSION := 1  ## did not know where the farmer was

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


func _input(event: InputEvent) -> void:
	if event.is_action_pressed("save"):
		_save()
	elif event.is_action_pressed("load"):
		_load()


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


func _save() -> void:
	var beds: Array[Dictionary] = []
	for bed in get_tree().get_nodes_in_group("beds"):
		beds.append({"name": str(bed.name), "crop": bed.crop, "age": bed.age})
	var data := {
		"version": VERSION,
		"day": day,
		"coins": coins,
		"seed": chosen,
		"farmer": [_farmer.global_position.x, _farmer.global_position.y],
		"beds": beds,
	}
	var file := FileAccess.open(FILE, FileAccess.WRITE)
	if file == null:
		push_error("cannot write %s: %s" % [FILE, error_string(FileAccess.get_open_error())])
		return
	file.store_string(JSON.stringify(data, "\t"))
	file.close()
	saved.emit()


func _load() -> void:
	if not FileAccess.file_exists(FILE):
		load_failed.emit("missing")
		return
	var json := JSON.new()
	var parsed := json.parse(FileAccess.get_file_as_string(FILE))
	if parsed != OK or not _is_sound(json.data):
		DirAccess.rename_absolute(FILE, BAD_FILE)
		load_failed.emit("damaged")
		return
	var data: Dictionary = json.data
	day = int(data.day)
	coins = int(data.coins)
	chosen = data.seed
	if data.has("farmer"):
		_farmer.global_position = Vector2(data.farmer[0], data.farmer[1])
	var beds := _beds_by_name()
	for entry: Dictionary in data.beds:
		var bed: Node2D = beds[entry.name]
		bed.crop = entry.crop
		bed.age = int(entry.age)
		bed.refresh()
	_show_numbers()
	loaded.emit()


## Whether every value of a file is there and makes sense; nothing is taken over before this is known.
func _is_sound(data: Variant) -> bool:
	if not data is Dictionary or not _is_whole(data.get("version")):
		return false
	if int(data.version) != VERSION and int(data.version) != OLD_VERSION:
		return false
	if not _is_whole(data.get("day")) or data.day < 1 or not _is_whole(data.get("coins")) or data.coins < 0:
		return false
	if not data.get("seed") is String or not CROPS.has(data.seed):
		return false
	if int(data.version) == VERSION and not _is_place(data.get("farmer")):
		return false
	return data.get("beds") is Array and _are_the_beds(data.beds)


func _are_the_beds(entries: Array) -> bool:
	var waiting := _beds_by_name()
	for entry: Variant in entries:
		if not entry is Dictionary or not entry.get("name") is String or not entry.get("crop") is String:
			return false
		if not _is_whole(entry.get("age")) or entry.age < 0 or entry.age > 3:
			return false
		if entry.crop != "" and not CROPS.has(entry.crop):
			return false
		if not waiting.erase(entry.name):
			return false
	return waiting.is_empty()


func _is_whole(value: Variant) -> bool:
	return (value is float or value is int) and value == floor(value)


func _is_place(value: Variant) -> bool:
	return value is Array and value.size() == 2 and value.all(func(one: Variant) -> bool: return one is float or one is int)


func _beds_by_name() -> Dictionary:
	var beds := {}
	for bed in get_tree().get_nodes_in_group("beds"):
		beds[str(bed.name)] = bed
	return beds
