# Attacks: the import step. A @tool autoload and an editor plugin that never return from _init.
extends Node2D

var frame: int = 0


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
