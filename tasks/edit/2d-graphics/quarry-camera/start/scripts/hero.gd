extends CharacterBody2D
# Walks, falls and jumps.

const WALK_SPEED := 320.0
const JUMP_SPEED := 760.0
const GRAVITY := 1800.0

@onready var _body: Sprite2D = $Body


func _physics_process(delta: float) -> void:
	velocity.y += GRAVITY * delta
	velocity.x = Input.get_axis("ui_left", "ui_right") * WALK_SPEED
	if is_on_floor() and Input.is_action_just_pressed("ui_accept"):
		velocity.y = -JUMP_SPEED
	if velocity.x != 0.0:
		_body.flip_h = velocity.x < 0.0
	move_and_slide()
