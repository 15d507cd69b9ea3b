extends Area2D
## A gem to take.

signal taken


func _on_body_entered(_body: Node2D) -> void:
	taken.emit()
	queue_free()
