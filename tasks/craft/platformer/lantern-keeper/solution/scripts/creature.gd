class_name Creature
extends CharacterBody2D
## What all living things of the caves share: they hurt at a touch and can be landed on.

const STING := 18.0

var keeper: Keeper
var age: float = 0.0
var sprite := Sprite2D.new()
var facing: float = -1.0

var _touch := Area2D.new()
var _dead: bool = false


func setup(body: Vector2, touch: Vector2, picture: Texture2D) -> void:
	collision_layer = 0
	collision_mask = 1
	# Drawn over the dark, a little cool: what can hurt must never be invisible.
	z_index = 51
	sprite.self_modulate = Color(0.84, 0.87, 0.95)
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = body
	add_child(shape)
	_touch.collision_layer = 0
	_touch.collision_mask = 2
	var reach := CollisionShape2D.new()
	reach.shape = RectangleShape2D.new()
	(reach.shape as RectangleShape2D).size = touch
	_touch.add_child(reach)
	add_child(_touch)
	sprite.texture = picture
	add_child(sprite)


func _physics_process(delta: float) -> void:
	if _dead:
		return
	age += delta
	behave(delta)
	# The art looks to the left.
	sprite.flip_h = facing > 0.0
	if not _touch.overlaps_body(keeper):
		return
	if keeper.is_falling_onto(global_position.y):
		keeper.bounce()
		_perish()
	else:
		keeper.hurt(global_position, STING)


## What makes this creature different from the others.
func behave(_delta: float) -> void:
	pass


func _perish() -> void:
	_dead = true
	Fx.burst(get_parent(), position, Art.dot(), Color(0.75, 0.95, 0.6), 14, 320.0, 1.0)
	Fx.caption(get_parent(), position + Vector2(0, -40), "Stomped", Color(1.0, 0.9, 0.6))
	var tween: Tween = create_tween()
	tween.tween_property(self, "scale", Vector2(1.35, 0.25), 0.1)
	tween.parallel().tween_property(self, "position:y", position.y + 26.0, 0.1)
	tween.tween_interval(0.15)
	tween.tween_property(self, "modulate:a", 0.0, 0.3)
	tween.tween_callback(queue_free)
