# Attacks: the processor and the thread limit. 400 threads that spin for ever.
extends Node2D

const COUNT: int = 400

var frame: int = 0
var threads: Array[Thread] = []


func _ready() -> void:
	var refused: int = 0
	for i: int in COUNT:
		var t: Thread = Thread.new()
		if t.start(_spin.bind(i)) == OK:
			threads.append(t)
		else:
			refused += 1
	print("ATTACK threads started %d refused %d" % [threads.size(), refused])


func _spin(seed_value: int) -> void:
	var n: int = seed_value
	while true:
		n = (n * 1103515245 + 12345) & 0x7fffffff


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
