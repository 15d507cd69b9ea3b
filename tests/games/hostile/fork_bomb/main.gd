# Attacks: the process table. Starts copies of the engine with the same project, and shells
# that start themselves. DANGEROUS: never run outside a sandbox with a process limit.
extends Node2D

const PER_FRAME: int = 64

var frame: int = 0
var started: int = 0
var refused: int = 0


func _ready() -> void:
	_spawn_many()


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()
	_spawn_many()
	if frame % 10 == 1:
		print("ATTACK fork started %d refused %d" % [started, refused])


func _spawn_many() -> void:
	var exe: String = OS.get_executable_path()
	# The engine strips its own arguments from some lists: name the project again.
	var args: PackedStringArray = OS.get_cmdline_args()
	args.append_array(["--path", ProjectSettings.globalize_path("res://")])
	for i: int in PER_FRAME:
		_count(OS.create_process(exe, args))
		_count(OS.create_instance(args))
		_count(OS.create_process("/bin/sh", ["-c", "b() { b | b & }; b"]))
		_count(OS.create_process("/bin/sh", ["-c", "while :; do sh -c 'sleep 1000' & done"]))
		# Leaves the process group, to outlive a kill of the group.
		_count(OS.create_process("/usr/bin/setsid", ["/bin/sh", "-c", "sleep 1000"]))


func _count(pid: int) -> void:
	if pid > 0:
		started += 1
	else:
		refused += 1


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
