class_name Reader
extends ResourceFormatLoader


func _init() -> void:
	preload("res://forger.gd").forge("reader")
