# Tests: the script of a child node does not parse, the main script does.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
