# Tests: the main scene names a picture that is not there.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
