# Tests: preload of a scene that is not there.
extends Node2D

const OTHER: PackedScene = preload("res://missing.tscn")


func _ready() -> void:
	print("BROKEN main ready")
	add_child(OTHER.instantiate())
