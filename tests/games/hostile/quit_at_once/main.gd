# Attacks: the recording. Leaves in _ready, before a frame is shown.
extends Node2D


func _ready() -> void:
	print("ATTACK quit in _ready")
	get_tree().quit()
