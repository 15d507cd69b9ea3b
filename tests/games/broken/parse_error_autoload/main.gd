# Tests: an autoload does not parse, the main script does.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
