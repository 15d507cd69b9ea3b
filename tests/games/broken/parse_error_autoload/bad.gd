# Tests: an autoload that does not parse.
extends Node


func _ready( -> void:
	var x: int = = 3
