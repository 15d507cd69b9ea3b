extends Node
# Launch probe of the build gate, loaded before the game's own autoloads. After a few frames it prints one line
# that says whether a scene is running and which scripts do not load, then quits.

const FRAMES := 5
const CONFIG := "gate.json"

var _frames := 0


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS


func _process(_delta: float) -> void:
	_frames += 1
	if _frames == FRAMES:
		_report()


func _report() -> void:
	var folder: String = get_script().resource_path.get_base_dir()
	var config: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(folder.path_join(CONFIG)))
	var scene := get_tree().current_scene
	var broken: Array[String] = []
	for path: String in config.scripts:
		var script := load(path) as GDScript
		# An abstract class cannot be instantiated either, but it has compiled: it knows its base type.
		if script == null or (not script.can_instantiate() and script.get_instance_base_type() == &""):
			broken.append(path)
	var result := {
		"scene": str(scene.name) if scene else "",
		"scene_file": scene.scene_file_path if scene else "",
		"has_script": scene != null and scene.get_script() != null,
		"broken": broken,
		"nodes": get_tree().get_node_count(),
	}
	print(config.marker, JSON.stringify(result))
	get_tree().quit()
