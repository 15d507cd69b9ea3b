extends Node2D

func _ready() -> void:
	this does not compile
