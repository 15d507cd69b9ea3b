extends Logger
# Called while the harness prints what it signed, with its variables on the stack.

var inside := false


func _log_message(_message: String, _error: bool) -> void:
	if inside:
		return
	inside = true
	for stack: ScriptBacktrace in Engine.capture_script_backtraces(true):
		for frame in stack.get_frame_count():
			for index in stack.get_local_variable_count(frame):
				print("READ local ", stack.get_local_variable_name(frame, index))
	inside = false
