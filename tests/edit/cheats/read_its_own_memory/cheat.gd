extends Node


func _ready() -> void:
	var maps := FileAccess.open("/proc/self/maps", FileAccess.READ)
	var memory := FileAccess.open("/proc/self/mem", FileAccess.READ_WRITE)
	if maps != null or memory != null:
		print("READ memory ", maps, memory)
