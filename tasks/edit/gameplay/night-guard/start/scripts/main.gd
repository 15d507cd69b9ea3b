extends Node2D
## Counts gems, and puts the thief back to the gate when she is caught.

var gems := 0
var times_caught := 0

@onready var _thief: CharacterBody2D = $Thief
@onready var _gate: Vector2 = _thief.position
@onready var _count: Label = $Hud/Count


func _ready() -> void:
	for gem in get_tree().get_nodes_in_group("gems"):
		gem.taken.connect(_on_gem_taken)
	for guard in get_tree().get_nodes_in_group("guards"):
		guard.caught.connect(_on_caught)
	_show_count()


func _on_gem_taken() -> void:
	gems += 1
	_show_count()


func _on_caught(_who: Node2D) -> void:
	times_caught += 1
	_thief.position = _gate
	_show_count()


func _show_count() -> void:
	_count.text = "Gems: %d   Caught: %d" % [gems, times_caught]
