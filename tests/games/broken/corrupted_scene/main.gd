# Tests: the main scene is garbage.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
