extends Node


func _init() -> void:
	Engine.print_error_messages = false
	Engine.print_to_stdout = false
	ProjectSettings.set_setting("application/run/disable_stdout", true)
