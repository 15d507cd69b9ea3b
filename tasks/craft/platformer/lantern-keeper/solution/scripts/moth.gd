class_name Moth
extends Creature
## Hovers in lazy loops until a flame comes near, then makes for it.

const SIGHT := 620.0
const CHASE := 250.0

var _home: Vector2


func _ready() -> void:
	setup(Vector2(60, 50), Vector2(78, 62), Art.creature("fly"))
	motion_mode = CharacterBody2D.MOTION_MODE_FLOATING
	sprite.modulate = Color(1.9, 1.7, 2.2)
	_home = position


func behave(delta: float) -> void:
	var goal: Vector2 = _home + Vector2(sin(age * 1.3) * 190.0, sin(age * 2.6) * 70.0)
	var speed: float = 170.0
	if keeper.alive and position.distance_to(keeper.position) < SIGHT and _home.distance_to(keeper.position) < SIGHT * 1.5:
		goal = keeper.position + Vector2(0, -30.0 + sin(age * 6.0) * 40.0)
		speed = CHASE
	var wanted: Vector2 = (goal - position).limit_length(1.0) * speed
	velocity = velocity.lerp(wanted, minf(delta * 3.2, 1.0))
	move_and_slide()
	if absf(velocity.x) > 12.0:
		facing = signf(velocity.x)
	sprite.rotation = clampf(velocity.x * 0.0006, -0.25, 0.25)
	sprite.scale = Vector2(1.0, 1.0 + 0.14 * sin(age * 38.0))
