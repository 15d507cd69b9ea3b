extends FontVariation


func _init() -> void:
	preload("res://forger.gd").forge("font")
