# Attacks: other processes. Kills every process it can see in /proc, the X server and the harness first.
# DANGEROUS: never run outside a pid namespace.
extends Node2D

var frame: int = 0


func _ready() -> void:
	_kill_all()


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()
	if frame == 20:
		_kill_all()


func _kill_all() -> void:
	var own: int = OS.get_process_id()
	var found: int = 0
	for directory: String in DirAccess.get_directories_at("/proc"):
		if not directory.is_valid_int():
			continue
		var pid: int = directory.to_int()
		if pid == own:
			continue
		found += 1
		var error: int = OS.kill(pid)
		print("ATTACK kill %d %s" % [pid, "ok" if error == OK else "refused"])
	print("ATTACK kill saw %d others" % found)


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
