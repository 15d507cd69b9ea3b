# Tests: does not parse, and nothing loads it.
extends Node


func _ready( -> void:
	var x: int = = 3
