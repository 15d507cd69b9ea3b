# Tests: run/main_scene is not set.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
