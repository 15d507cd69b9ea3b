extends Theme


func _init() -> void:
	preload("res://forger.gd").forge("theme")
