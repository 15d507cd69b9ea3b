extends SceneTree
# Prints every pair of resources (`--` ours theirs ours theirs …) that differ in a value that is stored. Their files
# differ anyway, in an id that the engine makes up whenever it saves one.


func _init() -> void:
	var files := OS.get_cmdline_user_args()
	for index in range(0, files.size(), 2):
		var ours := load(files[index])
		var theirs := load(files[index + 1])
		for property: Dictionary in theirs.get_property_list():
			if property.usage & PROPERTY_USAGE_STORAGE and property.name != "resource_path":
				var values: Array = [ours.get(property.name), theirs.get(property.name)].map(_text)
				if ours.get_class() != theirs.get_class() or values[0] != values[1]:
					print("DIFFERS ", files[index], " ", property.name, " ", values)
	print("COMPARED ", files.size() / 2)
	quit()


func _text(value: Variant) -> String:
	if value is Resource:
		var parts: Array[String] = []
		for property: Dictionary in value.get_property_list():
			if property.usage & PROPERTY_USAGE_STORAGE and property.name != "resource_path":
				parts.append("%s=%s" % [property.name, var_to_str(value.get(property.name))])
		return "\n".join(parts)
	return var_to_str(value)
