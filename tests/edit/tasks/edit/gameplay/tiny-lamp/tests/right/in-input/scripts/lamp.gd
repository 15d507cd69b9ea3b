extends Node2D

signal switched(is_on: bool)

var is_on := false
var brightness := 0


func _input(event: InputEvent) -> void:
	if event.is_action_pressed("switch"):
		is_on = not is_on
		brightness = 3 if is_on else 0
		switched.emit(is_on)
