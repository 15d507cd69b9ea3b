extends Area2D
## A star to collect.

signal collected


func _on_body_entered(_body: Node2D) -> void:
	collected.emit()
	queue_free()
