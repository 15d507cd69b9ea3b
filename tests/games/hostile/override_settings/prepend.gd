# Wants to be in the tree before any autoload of the harness.
extends Node


func _init() -> void:
	print("ATTACK prepend ran")


func _enter_tree() -> void:
	print("ATTACK prepend in the tree at index %d" % get_index())
