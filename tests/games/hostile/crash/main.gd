# Attacks: the recording. Crashes the engine at frame 20 (SIGILL or SIGABRT, a backtrace on stderr).
extends Node2D

var frame: int = 0


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()
	if frame == 20:
		print("ATTACK crash at frame 20")
		OS.crash("boom")


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
