# Tests: there is no demo_outputs folder.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
