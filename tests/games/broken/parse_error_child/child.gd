# Tests: a child's script that does not parse.
extends Node2D


func _ready( -> void:
	var x: int = = 3
