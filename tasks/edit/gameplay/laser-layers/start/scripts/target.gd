extends AnimatableBody2D
## Whatever drifts through space: meteors, rescue pods, drones.

signal destroyed

@export var drift := Vector2.ZERO


func _physics_process(delta: float) -> void:
	position += drift * delta
	if position.x < -80.0 or position.x > 1360.0:
		drift.x = -drift.x


func hit() -> void:
	destroyed.emit()
	queue_free()
