# Attacks: the wall around native code. A .gdextension whose library is garbage (and one that is
# missing), listed in .godot/extension_list.cfg, which the engine loads before any script runs.
extends Node2D

var frame: int = 0


func _ready() -> void:
	print("ATTACK extensions loaded %s" % [GDExtensionManager.get_loaded_extensions()])
	for path: String in ["res://evil.gdextension", "res://missing.gdextension"]:
		print("ATTACK load_extension %s status %d" % [path, GDExtensionManager.load_extension(path)])


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
