extends Node2D
## Counts the lanterns that the watchman has checked.

var _checked := 0

@onready var _label: Label = $Hud/Checked


func _ready() -> void:
	for lantern in get_tree().get_nodes_in_group("lanterns"):
		lantern.checked.connect(_on_checked)


func _on_checked() -> void:
	_checked += 1
	_label.text = "Lanterns checked: %d / 4" % _checked
