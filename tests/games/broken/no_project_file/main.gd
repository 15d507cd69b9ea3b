# Tests: a folder without project.godot.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
