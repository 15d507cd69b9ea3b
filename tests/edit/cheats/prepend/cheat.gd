extends Node


func _init() -> void:
	print("READ stdin ", OS.read_string_from_stdin(100000).length())
