class_name Hopper
extends Creature
## A frog that waits, then leaps at the keeper when she is close, or from side to side when she is not.

const GRAVITY := 2400.0
const WAIT := 1.15

var _rest: float = 0.6


func _ready() -> void:
	setup(Vector2(86, 64), Vector2(90, 66), Art.creature("frog"))
	sprite.position.y = -32.0


func behave(delta: float) -> void:
	velocity.y += GRAVITY * delta
	if is_on_floor():
		velocity.x = 0.0
		_rest -= delta
		if _rest <= 0.0:
			_rest = WAIT
			var near: bool = absf(keeper.position.x - position.x) < 760.0
			facing = signf(keeper.position.x - position.x) if near else -facing
			velocity = Vector2(facing * 300.0, -950.0)
	move_and_slide()
	if is_on_wall():
		velocity.x = 0.0
	sprite.texture = Art.creature("frog" if is_on_floor() else "frog_move")
	# It crouches just before it leaps.
	sprite.scale.y = 0.86 if is_on_floor() and _rest < 0.22 else 1.0
	sprite.position.y = 32.0 - 64.0 * sprite.scale.y
