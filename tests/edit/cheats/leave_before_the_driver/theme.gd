# Attacks: the trial itself. What the engine loads before our driver ends the engine.
extends Theme


func _init() -> void:
	OS.kill(OS.get_process_id())
