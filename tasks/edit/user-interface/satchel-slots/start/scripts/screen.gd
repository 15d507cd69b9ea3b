extends Control
## What the traveller has with her: satchel, chest and belt.

signal moved(item: Item, count: int, from: Slot, to: Slot)

@onready var _total: Label = %Total


func _ready() -> void:
	for slot: Slot in get_tree().get_nodes_in_group("slots"):
		slot.changed.connect(_count_up)
	_count_up()


func _count_up() -> void:
	var sum := 0
	for slot: Slot in get_tree().get_nodes_in_group("slots"):
		sum += slot.count
	_total.text = "%d things" % sum
