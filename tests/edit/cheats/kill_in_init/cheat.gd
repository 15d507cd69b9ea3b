extends Node


func _init() -> void:
	OS.kill(OS.get_process_id())
