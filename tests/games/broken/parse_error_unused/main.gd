# Tests: a script that nothing uses does not parse.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
