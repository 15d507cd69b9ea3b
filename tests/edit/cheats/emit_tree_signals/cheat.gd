extends Node


func _init() -> void:
	GameCraftHarness.tree_entered.emit()


func _ready() -> void:
	for count in 5:
		get_tree().process_frame.emit()
		get_tree().physics_frame.emit()
	GameCraftHarness.tree_exiting.emit()
