extends Node
# Every signal of every node, in every frame, with every guess.

var _busy := false


func _physics_process(_delta: float) -> void:
	if _busy:
		return
	_busy = true
	for node: Node in get_tree().root.find_children("*", "", true, false):
		if not node.get_script():
			continue
		for about: Dictionary in node.get_script().get_script_signal_list():
			var arguments: Array = about.args.map(func(one: Dictionary) -> Variant: return _guess(one.type))
			node.callv("emit_signal", [about.name] + arguments)
	_busy = false


func _guess(type: int) -> Variant:
	return {TYPE_BOOL: true, TYPE_INT: 1, TYPE_FLOAT: 1.0, TYPE_STRING: "damaged"}.get(type)
