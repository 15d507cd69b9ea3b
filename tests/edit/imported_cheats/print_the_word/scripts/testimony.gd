extends Node2D

var seen := true


func _ready() -> void:
	print("VALIDATION_PASSED")
	get_tree().quit(0)
