extends CharacterBody2D
## Runs and jumps over the hills; the camera goes with him.

const SPEED := 340.0
const JUMP_SPEED := 820.0
const GRAVITY := 1900.0

@onready var _body: AnimatedSprite2D = $Body


func _physics_process(delta: float) -> void:
	velocity.x = Input.get_axis("ui_left", "ui_right") * SPEED
	velocity.y += GRAVITY * delta
	if is_on_floor() and Input.is_action_just_pressed("ui_accept"):
		velocity.y = -JUMP_SPEED
	move_and_slide()
	position.x = clampf(position.x, 40.0, 5080.0)
	_body.play("walk" if velocity.x != 0.0 else "idle")
	if velocity.x != 0.0:
		_body.flip_h = velocity.x < 0.0
