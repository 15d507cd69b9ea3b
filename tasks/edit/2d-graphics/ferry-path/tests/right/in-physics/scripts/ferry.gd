class_name Ferry
extends Node2D
## A ferry between two piers.

const SPEED := 140.0
const WAIT := 2.0

@export var route: Path2D

var _sailed := 0.0
var _waited := WAIT
var _back := false

@onready var _wake: Node2D = $Wake


func _ready() -> void:
	_place()


func _physics_process(delta: float) -> void:
	var length := route.curve.get_baked_length()
	if _waited < WAIT:
		_waited += delta
	else:
		_sailed += SPEED * delta * (-1.0 if _back else 1.0)
		if _sailed <= 0.0 if _back else _sailed >= length:
			_sailed = clampf(_sailed, 0.0, length)
			_back = not _back
			_waited = 0.0
	_wake.visible = _waited >= WAIT
	_place()


func _place() -> void:
	var spot := route.global_transform * route.curve.sample_baked_with_rotation(_sailed, true)
	var turn := (1.0 if _back else 0.0) + clampf(_waited / WAIT, 0.0, 1.0) - 1.0
	global_position = spot.origin
	global_rotation = spot.get_rotation() + PI / 2.0 + turn * PI
