class_name GameCraftRunner
extends Node


static func _speak(_kit, key, _strict):
	print("READ key ", key)
