class_name Lever
extends Area2D
## Pulled once with the use key; tells the cave which gate to raise.

signal pulled

var _done: bool = false
var _sprite := Sprite2D.new()
var _prompt: Control


func _ready() -> void:
	collision_layer = 0
	collision_mask = 2
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(150, 128)
	add_child(shape)
	_sprite.texture = Art.tile("leverLeft")
	add_child(_sprite)
	_prompt = UiKit.keycap("E", 38)
	_prompt.position = Vector2(-32, -128)
	_prompt.z_index = 72
	_prompt.hide()
	add_child(_prompt)


func _physics_process(_delta: float) -> void:
	var near: bool = has_overlapping_bodies() and not _done
	_prompt.visible = near
	if near and Input.is_action_just_pressed(&"use"):
		_pull()


func _pull() -> void:
	_done = true
	_sprite.texture = Art.tile("leverMid")
	var tween: Tween = create_tween()
	tween.tween_interval(0.1)
	tween.tween_callback(func() -> void: _sprite.texture = Art.tile("leverRight"))
	Fx.burst(get_parent(), position + Vector2(0, 30), load("res://art/fx/meteorGrey_tiny1.png"), Color.WHITE, 8, 260.0, 1.2)
	pulled.emit()
