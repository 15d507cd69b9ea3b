class_name Hero
extends CharacterBody2D
## Walks and jumps through the crypt, and says whenever his health changes.

signal health_changed(health: int, max_health: int)

const WALK_SPEED := 300.0
const JUMP_SPEED := 760.0
const GRAVITY := 1800.0

var health := 9
var max_health := 12

@onready var _body: Sprite2D = $Body


func _physics_process(delta: float) -> void:
	velocity.y += GRAVITY * delta
	velocity.x = Input.get_axis("ui_left", "ui_right") * WALK_SPEED
	if is_on_floor() and Input.is_action_just_pressed("ui_accept"):
		velocity.y = -JUMP_SPEED
	if velocity.x != 0.0:
		_body.flip_h = velocity.x < 0.0
	move_and_slide()


func hurt(points: int) -> void:
	_change(health - points, max_health)


func heal(points: int) -> void:
	_change(health + points, max_health)


func grow(points: int) -> void:
	_change(health, max_health + points)


func _change(new_health: int, new_max: int) -> void:
	max_health = new_max
	health = clampi(new_health, 0, max_health)
	health_changed.emit(health, max_health)
