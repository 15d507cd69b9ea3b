# Tests: never returns from _ready.
extends Node2D


func _ready() -> void:
	var n: int = 0
	while true:
		n += 1
