# Attacks: the import step. Hangs when the editor makes the autoload; in the game it does nothing.
@tool
extends Node


func _init() -> void:
	if not Engine.is_editor_hint():
		return
	print("ATTACK tool script loops in the editor")
	var n: int = 0
	while true:
		n += 1
