extends CharacterBody2D
## The miller walks along the banks and over the bridge.

const SPEED := 220.0
const GRAVITY := 1400.0

@onready var _body: AnimatedSprite2D = $Body


func _physics_process(delta: float) -> void:
	velocity.x = Input.get_axis("ui_left", "ui_right") * SPEED
	velocity.y += GRAVITY * delta
	move_and_slide()
	position.x = clampf(position.x, 40.0, 1240.0)
	_body.play("walk" if velocity.x != 0.0 else "idle")
	if velocity.x != 0.0:
		_body.flip_h = velocity.x < 0.0
