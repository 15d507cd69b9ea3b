extends Node

var scene := PackedScene.new()


func _ready() -> void:
	var node := Node.new()
	node.set_script(load("res://mine.gd"))
	scene.pack(node)
	scene.take_over_path("res://scenes/test.tscn")
