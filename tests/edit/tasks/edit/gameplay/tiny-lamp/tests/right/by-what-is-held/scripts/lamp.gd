extends Node2D

signal switched(is_on: bool)

var is_on := false
var brightness := 0


var _held := false


func _process(_delta: float) -> void:
	var before := _held
	_held = Input.is_action_pressed("switch")
	if _held and not before:
		is_on = not is_on
		brightness = 3 if is_on else 0
		switched.emit(is_on)
