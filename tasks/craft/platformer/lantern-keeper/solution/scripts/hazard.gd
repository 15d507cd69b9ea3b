class_name Hazard
extends Area2D
## Spikes sting and throw back; lava and pits swallow, and the keeper wakes at the last torch.

signal swallowed

const STING := 18.0

var deadly: bool = false
var extent := Vector2(100, 50)


func _ready() -> void:
	collision_layer = 0
	collision_mask = 2
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = extent
	add_child(shape)


func _physics_process(_delta: float) -> void:
	for body: Node2D in get_overlapping_bodies():
		var keeper := body as Keeper
		if keeper == null:
			continue
		if deadly:
			swallowed.emit()
		else:
			keeper.hurt(global_position, STING)
