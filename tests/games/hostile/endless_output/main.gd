# Attacks: the log. Prints about 64 MB per frame, to both streams, one of the lines without an end.
# DANGEROUS: never run with the output going to a disk.
extends Node2D

const LINE_LENGTH: int = 64 * 1024
const LINES: int = 512

var frame: int = 0


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()
	var line: String = "ATTACK output ".rpad(LINE_LENGTH, "x")
	for i: int in LINES:
		print(line)
		printerr(line)
		printraw(line)


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
