# Tests: the main loop is a class of the game's own, that is no SceneTree.
extends Node2D


func _ready() -> void:
	print("BROKEN main ready")
