class_name MovingPlatform
extends AnimatableBody2D
## A wooden raft that swings between two points and carries whoever stands on it.

var travel := Vector2(300, 0)
var seconds: float = 4.0
var phase: float = 0.0

var _home: Vector2
var _age: float = 0.0


func _ready() -> void:
	collision_layer = 4
	collision_mask = 0
	_home = position
	for side: float in [-64.0, 64.0]:
		var plank := Sprite2D.new()
		plank.texture = Art.tile("bridgeB")
		plank.position = Vector2(side, 64.0)
		# Pale wood, so that the raft can be made out before the light reaches it.
		plank.modulate = Color(1.4, 1.35, 1.3)
		add_child(plank)
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(248, 30)
	shape.position.y = 15.0
	shape.one_way_collision = true
	add_child(shape)
	_age = phase * seconds


func _physics_process(delta: float) -> void:
	_age += delta
	position = _home + travel * (0.5 - 0.5 * cos(_age * TAU / seconds))
