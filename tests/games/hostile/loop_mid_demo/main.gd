# Attacks: the harness's patience. Behaves for 30 frames, then never returns from _process.
extends Node2D

var frame: int = 0


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()
	if frame == 30:
		print("ATTACK loop begins at frame 30")
		var n: int = 0
		while true:
			n += 1


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
