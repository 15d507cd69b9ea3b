extends RefCounted
# Gives a project back what was held back of it until our script knew what the project must not know: held_back.py says
# what and why. Code of the project may run in here, so the caller holds no secret, nor does any function that it is
# called from.

const LIST := "held_back.json"


static func give_back(folder: String) -> void:
	var held: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(folder.path_join(LIST)))
	for path: String in held.readers:
		_take_into_use(path)
	for name: String in held.settings:
		ProjectSettings.set_setting(name, held.settings[name])
		_apply(name, held.settings[name])


static func _take_into_use(path: String) -> void:
	var script := load(path) as GDScript
	if script == null or not script.can_instantiate():
		return
	var made: Variant = script.new()
	if made is ResourceFormatLoader:
		ResourceLoader.add_resource_format_loader(made)
	elif made is ResourceFormatSaver:
		ResourceSaver.add_resource_format_saver(made)


static func _apply(name: String, path: String) -> void:
	var found := load(path) if ResourceLoader.exists(path) else null
	if name == "gui/theme/custom" and found is Theme:
		var ours := ThemeDB.get_project_theme()
		ours.merge_with(found)
		ours.default_base_scale = found.default_base_scale
		ours.default_font = found.default_font
		ours.default_font_size = found.default_font_size
	elif name == "gui/theme/custom_font" and found is Font:
		ThemeDB.fallback_font = found
		ThemeDB.get_default_theme().default_font = found
	elif name == "audio/buses/default_bus_layout" and found is AudioBusLayout:
		AudioServer.set_bus_layout(found)
	elif name == "rendering/environment/defaults/default_environment" and found is Environment:
		(Engine.get_main_loop() as SceneTree).root.find_world_3d().fallback_environment = found
