extends Node
# Launch probe of the build check, loaded before the game's own autoloads. After a few frames it prints one line that
# says whether a scene is running and which scripts do not load, then quits.
#
# The host believes the first line that begins with a word of this run. The game must not learn the word before it was
# used: it comes through a pipe that is empty once it was read, before any code of the game ran, and is a local variable
# of one waiting function, which no script can look into. There is no /proc, by which a program reads its own memory.
# What the engine would load before any autoload was held back for that, and is given back here.

const FRAMES := 5


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	_probe(self)
	var folder: String = get_script().resource_path.get_base_dir()
	load(folder.path_join("held_back.gd")).give_back(folder)


static func _probe(node: Node) -> void:
	var size := OS.read_buffer_from_stdin(16).get_string_from_ascii().to_int()
	var given: Dictionary = JSON.parse_string(OS.read_buffer_from_stdin(size).get_string_from_utf8())
	await node.tree_entered
	var tree := node.get_tree()
	for frame in FRAMES:
		await tree.process_frame
	if not is_instance_valid(node):
		return  # who removes our probe removes our recorder too
	var scene := tree.current_scene
	var broken: Array[String] = []
	for path: String in given.scripts:
		var script := load(path) as GDScript
		# An abstract class cannot be instantiated either, but it has compiled: it knows its base type.
		if script == null or (not script.can_instantiate() and script.get_instance_base_type() == &""):
			broken.append(path)
	var result := {
		"scene": str(scene.name) if scene else "",
		"scene_file": scene.scene_file_path if scene else "",
		"has_script": scene != null and scene.get_script() != null,
		"broken": broken,
		"nodes": tree.get_node_count(),
	}
	print(given.marker, JSON.stringify(result))
	tree.quit()
