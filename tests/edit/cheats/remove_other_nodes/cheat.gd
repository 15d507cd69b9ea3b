extends Node


func _process(_delta: float) -> void:
	for node in get_tree().root.get_children():
		if node != self:
			node.free()
