extends RefCounted
# An object of the project, as the test sees it: each property and each method is asked for, in the other process.
# What the test calls besides is added below, one forwarding method for each name that stands in its source.

var __link: RefCounted
var __id: int


func _get(property: StringName) -> Variant:
	var value: Variant = __link.ask("get", [self, property])
	# Null would mean that there is no such property. This is null too, but an object that is none.
	return value if value != null else instance_from_id(0)


func _set(property: StringName, value: Variant) -> bool:
	__link.ask("set", [self, property, value])
	return true


func _to_string() -> String:
	return __link.text("told", [self])


func _asked(method: StringName, arguments: Array) -> Variant:
	return __link.ask("call", [self, method, arguments])


# --- methods that every object has, so that the engine would call the tester's own ---

func get(property: StringName) -> Variant:
	return _asked(&"get", [property])


func set(property: StringName, value: Variant) -> void:
	_asked(&"set", [property, value])


func get_indexed(path: NodePath) -> Variant:
	return _asked(&"get_indexed", [path])


func set_indexed(path: NodePath, value: Variant) -> void:
	_asked(&"set_indexed", [path, value])


func call(method: StringName, ...arguments: Array) -> Variant:
	return _asked(method, arguments)


func callv(method: StringName, arguments: Array) -> Variant:
	return _asked(method, arguments)


func emit_signal(signal_name: StringName, ...arguments: Array) -> Error:
	_asked(&"emit_signal", [signal_name] + arguments)
	return OK


func has_method(method: StringName) -> bool:
	return _asked(&"has_method", [method]) == true


func has_signal(signal_name: StringName) -> bool:
	return _asked(&"has_signal", [signal_name]) == true


func get_class() -> String:
	return str(_asked(&"get_class", []))


func is_class(type: String) -> bool:
	return _asked(&"is_class", [type]) == true


func get_script() -> Variant:
	return _asked(&"get_script", [])


func has_meta(meta: StringName) -> bool:
	return _asked(&"has_meta", [meta]) == true


func get_meta(meta: StringName, otherwise: Variant = null) -> Variant:
	return _asked(&"get_meta", [meta, otherwise])


func set_meta(meta: StringName, value: Variant) -> void:
	_asked(&"set_meta", [meta, value])


func remove_meta(meta: StringName) -> void:
	_asked(&"remove_meta", [meta])


func get_property_list() -> Array[Dictionary]:
	return _dictionaries(_asked(&"get_property_list", []))


func get_method_list() -> Array[Dictionary]:
	return _dictionaries(_asked(&"get_method_list", []))


func get_signal_list() -> Array[Dictionary]:
	return _dictionaries(_asked(&"get_signal_list", []))


func is_queued_for_deletion() -> bool:
	return _asked(&"is_queued_for_deletion", []) == true


func notification(what: int, reversed := false) -> void:
	_asked(&"notification", [what, reversed])


func _dictionaries(value: Variant) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	if value is Array:
		found.assign(value.filter(func(one: Variant) -> bool: return one is Dictionary))
	return found
