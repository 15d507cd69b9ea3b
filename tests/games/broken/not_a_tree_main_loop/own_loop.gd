# Tests: a main loop without a scene tree: no root, no autoload, no main scene.
class_name OwnLoop
extends MainLoop

var frame: int = 0


func _initialize() -> void:
	print("BROKEN own main loop starts")


func _process(_delta: float) -> bool:
	frame += 1
	return frame >= 120
