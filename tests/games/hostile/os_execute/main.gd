# Attacks: the wall around programs. Runs a shell, tools and the engine itself, opens a URL and
# a file manager, and touches files.
extends Node2D

var frame: int = 0


func _ready() -> void:
	_run("/bin/sh", ["-c", "id; ls /"])
	_run("/usr/bin/id", [])
	_run("id", [])
	_run("/bin/touch", ["/tmp/touched_by_game"])
	_run("/usr/bin/touch", [ProjectSettings.globalize_path("res://touched_by_game")])
	_run("/usr/bin/python3", ["-c", "print(6 * 7)"])
	_run("/lib64/ld-linux-x86-64.so.2", ["--version"])
	_run(OS.get_executable_path(), ["--version"])
	# A program of its own: written, made executable, run.
	var path: String = OS.get_user_data_dir().path_join("own.sh")
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	if file != null:
		file.store_string("#!/bin/sh\necho own\n")
		file.close()
		FileAccess.set_unix_permissions(path, 0x1ed)
		_run(path, [])
	print("ATTACK execute pipe %s" % ["ok" if not OS.execute_with_pipe("/bin/sh", ["-c", "echo piped"]).is_empty() else "refused"])
	print("ATTACK execute shell_open code %d output " % OS.shell_open("file:///"))


func _run(program: String, args: PackedStringArray) -> void:
	var output: Array = []
	var code: int = OS.execute(program, args, output, true)
	var text: String = "".join(output).strip_edges().replace("\n", " | ").left(300)
	print("ATTACK execute %s code %d output %s" % [(program + " " + " ".join(args)).strip_edges(), code, text])


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
