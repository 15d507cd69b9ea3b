extends AnimatableBody2D
## A slime crawls along its road to the castle.

const SPEED := 110.0

var hearts := 2

var _age := 0.0

@onready var _picture: Sprite2D = $Picture


func _physics_process(delta: float) -> void:
	_age += delta
	position.x += SPEED * delta
	_picture.scale = Vector2(0.55 + sin(_age * 9.0) * 0.05, 0.55 - sin(_age * 9.0) * 0.05)


func hit() -> void:
	hearts -= 1
	modulate = Color(1, 0.6, 0.6)
	if hearts <= 0:
		queue_free()
