# A usual autoload, that wants the first place among the root's children.
extends Node


func _ready() -> void:
	print("ATTACK autoload ran at index %d" % get_index())
	get_parent().move_child.call_deferred(self, 0)
