class_name Pickup
extends Area2D
## A gem or a key: hovers, glints, and flies apart when taken.

signal taken(pickup: Pickup)

var picture: Texture2D
var tint := Color.WHITE
var is_gem: bool = false

var _age: float = 0.0
var _sprite := Sprite2D.new()


func _ready() -> void:
	collision_layer = 0
	collision_mask = 2
	var shape := CollisionShape2D.new()
	shape.shape = CircleShape2D.new()
	(shape.shape as CircleShape2D).radius = 46.0
	add_child(shape)
	var glint := Sprite2D.new()
	glint.texture = Art.glow()
	glint.material = Art.additive()
	glint.modulate = Color(tint, 0.3)
	glint.scale = Vector2(0.75, 0.75)
	glint.z_index = 55
	add_child(glint)
	_sprite.texture = picture
	# Drawn over the dark: what is worth having can be seen from afar.
	_sprite.z_index = 52
	add_child(_sprite)
	_age = position.x * 0.01
	body_entered.connect(_on_body_entered)


func _process(delta: float) -> void:
	_age += delta
	_sprite.position.y = sin(_age * 3.2) * 8.0
	_sprite.scale = Vector2(0.92 + 0.08 * sin(_age * 4.0), 0.95)


func _on_body_entered(body: Node2D) -> void:
	if not body is Keeper:
		return
	Fx.burst(get_parent(), position, Art.dot(), tint, 16, 380.0, 0.9)
	taken.emit(self)
	queue_free()
