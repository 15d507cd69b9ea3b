class_name Ferry
extends Node2D
## A ferry between two piers.

const SPEED := 140.0
const WAIT := 2.0

@export var route: Path2D

var _turned := 0.0

@onready var _wake: Node2D = $Wake


func _ready() -> void:
	var length := route.curve.get_baked_length()
	_sail(0.0)
	var tween := create_tween().set_loops()
	for leg: Array in [[0.0, length], [length, 0.0]]:
		tween.tween_callback(_wake.show)
		tween.tween_method(_sail, leg[0], leg[1], length / SPEED)
		tween.tween_callback(_wake.hide)
		tween.tween_method(_turn.bind(leg[1]), 0.0, PI, WAIT)
		tween.tween_callback(func() -> void: _turned = fposmod(_turned + PI, TAU))


func _sail(sailed: float) -> void:
	_place(sailed, _turned)


func _turn(angle: float, sailed: float) -> void:
	_place(sailed, _turned + angle)


func _place(sailed: float, turned: float) -> void:
	var spot := route.global_transform * route.curve.sample_baked_with_rotation(sailed, true)
	global_position = spot.origin
	global_rotation = spot.get_rotation() + PI / 2.0 + turned
