extends CharacterBody2D
## The hero walks, and drives bees off with a torch.

signal swung

const SPEED := 260.0
const GRAVITY := 1400.0

var can_swing := true

@onready var _player: AnimationPlayer = $AnimationPlayer


func _physics_process(delta: float) -> void:
	velocity.x = Input.get_axis("move_left", "move_right") * SPEED
	velocity.y += GRAVITY * delta
	move_and_slide()
	if Input.is_action_just_pressed("attack") and can_swing:
		swing()


func swing() -> void:
	can_swing = false
	_player.stop()
	_player.play("swing")
	swung.emit()


## The arm is back far enough for another swing.
func ready_again() -> void:
	can_swing = true


func _on_hitbox_body_entered(body: Node2D) -> void:
	if body.has_method("scare"):
		body.scare()
