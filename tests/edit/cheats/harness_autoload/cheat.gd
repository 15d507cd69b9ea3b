extends Node


func _init() -> void:
	print("READ stdin ", OS.read_string_from_stdin(100000).length())
	(Engine.get_main_loop() as SceneTree).quit(0)
