# Tests: art.png holds text.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
