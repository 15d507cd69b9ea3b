# Attacks: the screen and the recorder. Asks for a window of 8000x6000 in the settings and again in _ready.
extends Node2D

var frame: int = 0


func _ready() -> void:
	print("ATTACK window %s viewport %s screen %s" % [get_window().size, get_viewport_rect().size, DisplayServer.screen_get_size()])
	get_window().size = Vector2i(8000, 6000)
	get_window().min_size = Vector2i(8000, 6000)


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()
	if frame == 10:
		print("ATTACK window %s viewport %s" % [get_window().size, get_viewport_rect().size])


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
