# Attacks: the harness's settings. An override.cfg, a project_settings_override and an early
# autoload of its own try to run first and to change size, frame rate and window.
extends Node2D

var frame: int = 0


func _ready() -> void:
	print("ATTACK settings size %s fps %s window %s scene %s" % [
		ProjectSettings.get_setting("display/window/size/viewport_width"),
		ProjectSettings.get_setting("application/run/max_fps"),
		get_window().size,
		ProjectSettings.get_setting("application/run/main_scene"),
	])
	print("ATTACK root order %s" % [get_tree().root.get_children().map(func(n: Node) -> String: return n.name)])


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
