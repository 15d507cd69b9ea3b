# Tests: warnings alone must pass the gate.
extends Node2D


func _ready() -> void:
	var unused: int = 3
	push_warning("only a warning")
	print("BROKEN main ready")
