extends Node


func _process(_delta: float) -> void:
	Engine.print_error_messages = false
	Engine.time_scale = 0.0
	get_tree().paused = true
	Engine.physics_ticks_per_second = 1000
	Engine.max_fps = 1
