# Attacks: the file system. Tries to write outside the project, into it, and to its demo traces.
extends Node2D

var frame: int = 0


func _ready() -> void:
	var home: String = OS.get_environment("HOME")
	var paths: PackedStringArray = [
		"res://../escape.txt",
		"res://../../escape.txt",
		ProjectSettings.globalize_path("res://").path_join("../escape.txt"),
		"/tmp/escape.txt",
		"/var/tmp/escape.txt",
		"/dev/shm/escape.txt",
		"/escape.txt",
		"/usr/escape.txt",
		"/etc/escape.txt",
		home.path_join("escape.txt"),
		OS.get_executable_path().get_base_dir().path_join("escape.txt"),
		OS.get_user_data_dir().path_join("../../escape.txt"),
		"user://escape.txt",
		"res://overwritten.txt",
		"res://project.godot.evil",
		"res://demo_outputs/01.json.evil",
	]
	for path: String in paths:
		_try_write(path)
	# Kernel settings: only opened, never written. A write that gets through changes the whole
	# machine, not the sandbox, and outlives the run.
	for path: String in ["/proc/self/oom_score_adj", "/proc/sys/kernel/core_pattern"]:
		_say("open:" + path, FileAccess.open(path, FileAccess.READ_WRITE) != null)
	# A folder, and a link out of the user folder.
	_say("make_dir res://../escape_dir", DirAccess.make_dir_absolute("res://../escape_dir") == OK)
	var here: DirAccess = DirAccess.open("user://")
	if here != null:
		_say("link user://root -> /", here.create_link("/", "root") == OK)
		_try_write("user://root/escape_by_link.txt")


func _try_write(path: String) -> void:
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	var opened: bool = file != null
	if opened:
		file.store_string("escaped\n")
		file.close()
	_say(path, opened)


func _say(path: String, worked: bool) -> void:
	print("ATTACK write %s %s" % [path, "ok" if worked else "refused"])


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
