extends Node


func _ready() -> void:
	GameCraftHarness.queue_free()
	get_tree().quit(0)
