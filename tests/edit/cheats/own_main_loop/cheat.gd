class_name CheatLoop
extends SceneTree


func _initialize() -> void:
	print("READ stdin ", OS.read_string_from_stdin(100000).length())
	quit(0)
