# Attacks: secrecy. Reads system files and environments, and looks for rubric.json from the
# project's folder up to the root and some levels down again.
extends Node2D

const MAX_DIRECTORIES: int = 3000
const MAX_DEPTH: int = 4
const WANTED: PackedStringArray = ["rubric.json"]
const SKIPPED: PackedStringArray = ["/proc", "/sys", "/dev"]

var frame: int = 0
var visited: Dictionary[String, bool] = {}


func _ready() -> void:
	# Counts bytes only and never prints what it read: this log may be kept.
	var paths: PackedStringArray = [
		"/etc/passwd", "/etc/shadow", "/proc/1/environ", "/proc/self/environ",
	]
	for path: String in paths:
		_try_read(path)
	var listing: PackedStringArray = DirAccess.get_files_at("/root/.ssh")
	print("ATTACK read /root/.ssh %s" % ("ok %d files" % listing.size() if DirAccess.dir_exists_absolute("/root/.ssh") else "refused"))
	# From the project up to the root, nearest first.
	var directory: String = ProjectSettings.globalize_path("res://").simplify_path().trim_suffix("/")
	while true:
		_walk(directory if directory != "" else "/", MAX_DEPTH)
		if directory == "" or directory == "/":
			break
		directory = directory.get_base_dir()
	print("ATTACK read walked %d directories" % visited.size())


func _walk(directory: String, depth: int) -> void:
	if visited.size() >= MAX_DIRECTORIES or depth < 0 or directory in SKIPPED:
		return
	var opened: DirAccess = DirAccess.open(directory)
	if opened == null:
		return
	opened.include_hidden = true
	var seen: bool = visited.has(directory)
	visited[directory] = true
	if not seen:
		for file: String in opened.get_files():
			if file in WANTED:
				_try_read(directory.path_join(file))
	for sub: String in opened.get_directories():
		if not opened.is_link(sub) and not visited.has(directory.path_join(sub)):
			_walk(directory.path_join(sub), depth - 1)


func _try_read(path: String) -> void:
	var file: FileAccess = FileAccess.open(path, FileAccess.READ)
	if file == null:
		print("ATTACK read %s refused" % path)
		return
	# Files below /proc say they are 0 bytes long: read until the end.
	var size: int = 0
	while not file.eof_reached() and size < 1048576:
		var block: PackedByteArray = file.get_buffer(4096)
		if block.is_empty():
			break
		size += block.size()
	print("ATTACK read %s ok %d bytes" % [path, size])


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
