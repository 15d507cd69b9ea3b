extends CharacterBody2D
## The mouse runs on until something stops it, and turns around.

const GRAVITY := 1900.0

@export var speed := -180.0

@onready var _body: Sprite2D = $Body


func _physics_process(delta: float) -> void:
	velocity = Vector2(speed, velocity.y + GRAVITY * delta)
	move_and_slide()
	if is_on_wall():
		speed = -speed
	_body.flip_h = speed > 0.0
