extends Node


func _run(tree, given, kit):
	print("READ test ", given, kit)


func _begin(node):
	print("READ begin ", node)
