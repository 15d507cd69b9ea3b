# Attacks: the clock. Slows the time, caps the frame rate, changes the window, and sleeps each frame.
extends Node2D

var frame: int = 0
var clock: float = 0.0


func _ready() -> void:
	Engine.time_scale = 0.1
	Engine.max_fps = 5
	Engine.physics_ticks_per_second = 1
	Engine.max_physics_steps_per_frame = 1
	OS.low_processor_usage_mode = true
	OS.low_processor_usage_mode_sleep_usec = 200000
	DisplayServer.window_set_vsync_mode(DisplayServer.VSYNC_ENABLED)
	get_window().size = Vector2i(640, 480)
	get_window().position = Vector2i(300, 200)
	get_window().content_scale_factor = 2.0
	print("ATTACK slow_motion set")


func _process(delta: float) -> void:
	frame += 1
	clock += delta
	queue_redraw()
	if frame == 15:
		get_window().mode = Window.MODE_MINIMIZED
	if frame == 25:
		get_window().mode = Window.MODE_FULLSCREEN
	if frame == 35:
		get_window().mode = Window.MODE_WINDOWED
	if frame % 10 == 0:
		print("ATTACK slow_motion frame %d clock %.3f delta %.4f" % [frame, clock, delta])
	OS.delay_msec(200)


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
