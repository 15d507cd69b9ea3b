# Attacks: the import step. Never returns from _init.
@tool
extends EditorPlugin


func _init() -> void:
	print("ATTACK plugin loops in the editor")
	var n: int = 0
	while true:
		n += 1
