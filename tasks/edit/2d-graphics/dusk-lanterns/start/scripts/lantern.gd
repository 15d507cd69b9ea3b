extends Area2D
## A lantern that the watchman checks by walking past.

signal checked

var was_checked := false


func _on_body_entered(_body: Node2D) -> void:
	if not was_checked:
		was_checked = true
		checked.emit()
