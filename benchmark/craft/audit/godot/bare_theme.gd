extends Node
# Every control looks as the engine made it: no themes, no overrides, no label settings.

const KINDS := ["color", "constant", "font", "font_size", "stylebox"]

var _names := {}             # class → kind → names of its theme items


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	process_priority = 10000


func _process(_delta: float) -> void:
	_strip_in(get_tree().root)


# Every frame: games dress their controls while they run.
func _strip_in(node: Node) -> void:
	if node is Control:
		_strip(node)
	elif node is Window and node.theme != null:
		node.theme = null
	for child in node.get_children():
		_strip_in(child)


func _strip(control: Control) -> void:
	if control.theme != null:
		control.theme = null
	if control.theme_type_variation != &"":
		control.theme_type_variation = &""
	if control is Label and control.label_settings != null:
		control.label_settings = null
	var found: Dictionary = _names_of(control.get_class())
	for kind: String in KINDS:
		for item: StringName in found[kind]:
			if control.call("has_theme_%s_override" % kind, item):
				control.call("remove_theme_%s_override" % kind, item)


func _names_of(type: String) -> Dictionary:
	if not _names.has(type):
		var found := {}
		for kind: String in KINDS:
			var names := {}
			var ancestor := type
			while ancestor != "":
				for item: StringName in ThemeDB.get_default_theme().call("get_%s_list" % kind, ancestor):
					names[item] = true
				ancestor = ClassDB.get_parent_class(ancestor)
			found[kind] = names.keys()
		_names[type] = found
	return _names[type]
