# Tests: run/main_scene names a file that is not there.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
