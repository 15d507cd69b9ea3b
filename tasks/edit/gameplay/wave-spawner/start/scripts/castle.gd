extends Area2D
## The castle loses a heart for each slime that gets to its gate.

signal hurt(hearts: int)
signal broken

@export var hearts := 5


func _on_body_entered(body: Node2D) -> void:
	if hearts <= 0 or not body.is_in_group("enemies"):
		return
	body.queue_free()
	hearts -= 1
	hurt.emit(hearts)
	if hearts == 0:
		broken.emit()
