extends Node
# The engine lets it take the place of its own class in every script, the harness's among them: the pipe stays full.


func _init() -> void:
	var os := Engine.get_singleton("OS")
	var size: int = os.read_buffer_from_stdin(16).get_string_from_ascii().to_int()
	print("READ stdin ", os.read_buffer_from_stdin(size).size())
