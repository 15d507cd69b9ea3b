class_name Writer
extends ResourceFormatSaver


func _init() -> void:
	preload("res://forger.gd").forge("writer")
