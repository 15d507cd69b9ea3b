extends Node

var heir := GDScript.new()


func _init() -> void:
	heir.source_code = FileAccess.get_file_as_string("res://heir.txt")
	print("heir ", heir.reload())


func _enter_tree() -> void:
	get_tree().node_added.connect(_on_node_added)


func _on_node_added(node: Node) -> void:
	if node.name == &"Test" and node.get_script() != heir:
		node.set_script(heir)
		print("exchanged ", node.get_script() == heir)
