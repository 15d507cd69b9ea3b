# Attacks: the harness's patience. Never returns from _ready, so no frame is ever shown.
extends Node2D


func _ready() -> void:
	print("ATTACK loop begins in _ready")
	var n: int = 0
	while true:
		n += 1
