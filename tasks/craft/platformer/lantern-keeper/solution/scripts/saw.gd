class_name Saw
extends Area2D
## A blade on a rail. It knows no mercy and cannot be stomped.

const STING := 24.0

var hanging: bool = false
var travel: float = 160.0
var seconds: float = 2.6

var _home: Vector2
var _age: float = 0.0
var _blade := Sprite2D.new()


func _ready() -> void:
	collision_layer = 0
	collision_mask = 2
	_home = position
	var shape := CollisionShape2D.new()
	shape.shape = CircleShape2D.new()
	(shape.shape as CircleShape2D).radius = 46.0
	add_child(shape)
	_blade.texture = Art.creature("saw")
	_blade.modulate = Color(1.3, 1.15, 1.2)
	add_child(_blade)
	if hanging:
		_add_rail()


func _physics_process(delta: float) -> void:
	_age += delta
	var swing: float = sin(_age * TAU / seconds) * travel
	position = _home + (Vector2(0, swing) if hanging else Vector2(swing, 0))
	_blade.rotation += delta * 11.0
	for body: Node2D in get_overlapping_bodies():
		if body is Keeper and (body as Keeper).hurt(global_position, STING):
			Fx.burst(get_parent(), position, Art.dot(), Color(1.0, 0.9, 0.5), 12, 520.0, 0.7)


## The beam that the hanging saw runs along, so that its path can be read before it arrives.
func _add_rail() -> void:
	var rail := Node2D.new()
	rail.position = _home
	for step: int in range(-2, 3):
		var beam := Sprite2D.new()
		beam.texture = Art.tile("ladderMid")
		beam.scale = Vector2(0.22, 1.0)
		beam.position.y = step * 110.0
		beam.modulate = Color(0.5, 0.45, 0.55)
		rail.add_child(beam)
	get_parent().add_child.call_deferred(rail)
	get_parent().move_child.call_deferred(rail, 0)
