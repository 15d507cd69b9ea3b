extends Node


func _init() -> void:
	OS.add_logger(load("res://listener.gd").new())
