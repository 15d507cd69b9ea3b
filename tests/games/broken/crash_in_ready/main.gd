# Tests: the engine crashes in _ready.
extends Node2D


func _ready() -> void:
	OS.crash("boom")
