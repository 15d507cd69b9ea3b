# Tests: a call on null in _ready; the game goes on running.
extends Node2D

var frame: int = 0


func _ready() -> void:
	print("BROKEN before the error")
	var nobody: Node = get_node_or_null("NotThere")
	nobody.queue_free()
	print("BROKEN after the error")


func _process(_delta: float) -> void:
	frame += 1
	if frame == 5:
		print("BROKEN still running")
