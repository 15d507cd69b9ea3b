extends AudioBusLayout


func _init() -> void:
	preload("res://forger.gd").forge("buses")
