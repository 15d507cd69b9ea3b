class_name Crawler
extends Creature
## A slime that paces its ledge and turns at walls and drops.

const PACE := 120.0
const GRAVITY := 2600.0

var picture: String = "slimeGreen"

var _edge := RayCast2D.new()


func _ready() -> void:
	setup(Vector2(80, 58), Vector2(84, 60), Art.creature(picture))
	_edge.target_position = Vector2(0, 90)
	_edge.collision_mask = 1
	add_child(_edge)


func behave(delta: float) -> void:
	velocity = Vector2(facing * PACE, velocity.y + GRAVITY * delta)
	move_and_slide()
	if is_on_floor() and (is_on_wall() or not _edge.is_colliding()):
		facing = -facing
	_edge.position.x = facing * 52.0
	# It stretches along as it creeps; the foot of its picture stays on the ground.
	var pulse: float = sin(age * 7.0) * 0.08
	sprite.scale = Vector2(1.0 + pulse, 1.0 - pulse)
	sprite.position.y = 29.0 - 64.0 * sprite.scale.y
