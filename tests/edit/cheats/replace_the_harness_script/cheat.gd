extends Node

# Its functions would be called on the node with a script of ours.

var kept: Script


func _init() -> void:
	kept = GameCraftHarness.get_script()
	GameCraftHarness.set_script(load("res://spy.gd"))
