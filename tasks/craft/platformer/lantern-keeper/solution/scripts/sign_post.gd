class_name SignPost
extends Area2D
## A wooden sign that speaks up when the keeper comes near.

## Empty when she leaves.
signal spoke(text: String)

var text: String = ""


func _ready() -> void:
	collision_layer = 0
	collision_mask = 2
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(460, 200)
	add_child(shape)
	var sprite := Sprite2D.new()
	sprite.texture = Art.tile("signRight")
	add_child(sprite)
	body_entered.connect(func(_body: Node2D) -> void: spoke.emit(text))
	body_exited.connect(func(_body: Node2D) -> void: spoke.emit(""))
