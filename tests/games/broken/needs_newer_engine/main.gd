# Tests: made for an engine that does not exist yet.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
