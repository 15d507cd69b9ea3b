class_name TinyRoom
extends Node2D

signal rung(times: int, by: String)

var rings := 0
var jumps := 0
var keys_hit := 0
var ticks := 0
var held_ticks := 0


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("jump"):
		jumps += 1
	if event is InputEventKey and event.pressed and event.physical_keycode == KEY_K:
		keys_hit += 1


func _physics_process(_delta: float) -> void:
	ticks += 1
	held_ticks += int(Input.is_action_pressed("jump"))


func _on_bell_pressed() -> void:
	rings += 1
	rung.emit(rings, "hand")
