extends Node2D
# Counts what the gems are worth.

var _score := 0

@onready var _label: Label = $Hud/Score


func _ready() -> void:
	for gem in $Gems.get_children():
		gem.collected.connect(_on_gem_collected)


func _on_gem_collected(value: int) -> void:
	_score += value
	_label.text = "Gems: %d" % _score
