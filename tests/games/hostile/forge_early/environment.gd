extends Environment


func _init() -> void:
	preload("res://forger.gd").forge("environment")
