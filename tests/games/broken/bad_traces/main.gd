# Tests: 01.json is no JSON, 02.json is good.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
