# Attacks: the recording. Leaves at frame 30 of 60, with the exit code of success.
extends Node2D

var frame: int = 0


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()
	if frame == 30:
		print("ATTACK quit at frame 30")
		get_tree().quit(0)


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
