extends Node
# Runs a hidden test inside the submitted project. Loaded before the project's own autoloads.
#
# The submission's code runs in the same process. It must not be able to read the test, to speak for it, or to change
# what it found. It can look at every member and every connection, replace the script of this node, and reload this
# script with another source, which also exchanges the code of living lambdas. What it cannot look into is a function
# that waits. Therefore
# - the test comes through a pipe that is empty once it was read, before any code of the project ran;
# - the key that signs what the host believes is a local variable of one waiting function, and nowhere else;
# - none of these functions is on the stack while code of the project runs, so none is called in its new form;
# - reloading this script ends them, and then nothing more is said;
# - what is said for a test counts only if nobody but the engine, the kit and the test is on the stack, so that kit and
#   test are of no use to code that has found them among all objects.

const _WOKEN_BY_ENGINE: Array[String] = ["play", "frames"]


func _init() -> void:
	name = "GameCraftHarness"
	process_mode = Node.PROCESS_MODE_ALWAYS
	_begin(self)


static func _begin(node: Node) -> void:
	var size := OS.read_buffer_from_stdin(16).get_string_from_ascii().to_int()
	var given: Dictionary = JSON.parse_string(OS.read_buffer_from_stdin(size).get_string_from_utf8())
	var kit: RefCounted = _compiled(GDScript.new(), given.kit).new()
	kit.parameters = given.get("parameters", {})
	kit.watch_script = _compiled(GDScript.new(), given.watch)
	var test := GDScript.new()
	var is_imported: bool = given.kind == "imported"
	_speak(kit, Marshalls.base64_to_raw(given.key), null if is_imported else test)
	given.erase("key")
	var source: String = given.test
	given.erase("test")
	if is_imported:
		# The test on the disk is an empty stand-in; the real one, with this run's words in it, takes its place in
		# memory. Now: the engine loads the test's scene before anything enters the tree.
		test = _compiled(test, source)
		if test != null:
			test.take_over_path(given.path)
	await node.tree_entered  # the project's autoloads exist but have not entered
	_check_names(kit)
	if is_imported:
		_watch_over(node.get_tree(), test, given.path, kit)
	else:
		_run(node.get_tree(), test, source, given.picture, kit)


static func _speak(kit: RefCounted, key: PackedByteArray, test: GDScript) -> void:
	var crypto := Crypto.new()
	var kit_script: GDScript = kit.get_script()
	var count := 0
	while true:
		var line: Dictionary = await kit.said
		if test != null and line.kind == "check":
			# A name for this moment, which no other script can have taken.
			var mark := crypto.generate_random_bytes(16).hex_encode()
			kit_script.set_path_cache(mark)
			test.set_path_cache(mark)
			var stack: ScriptBacktrace = Engine.capture_script_backtraces()[0]
			kit_script.set_path_cache("")
			test.set_path_cache("")
			var foreign := stack.get_frame_function(stack.get_frame_count() - 1) not in _WOKEN_BY_ENGINE
			for frame in range(1, stack.get_frame_count()):
				foreign = foreign or stack.get_frame_file(frame) != mark
			if foreign:
				line = {"kind": "tampered", "what": "the project's own code spoke for the test"}
		line["n"] = count
		count += 1
		var text := JSON.stringify(line)
		var signed := crypto.hmac_digest(HashingContext.HASH_SHA256, key, text.to_utf8_buffer())
		print("\n@", signed.hex_encode(), " ", text)


static func _compiled(script: GDScript, source: String) -> GDScript:
	script.source_code = source
	if script.reload() != OK:
		return null
	script.source_code = ""  # other code may look at the script, but has nothing to read
	return script


static func _check_names(kit: RefCounted) -> void:
	# An autoload with the name of an engine class takes its place in every script, ours among them. The host has
	# refused the names that this script needs.
	for property: Dictionary in ProjectSettings.get_property_list():
		var autoload := str(property.name).trim_prefix("autoload/")
		if autoload != property.name and ClassDB.class_exists(autoload):
			kit.said.emit({"kind": "tampered", "what": "the autoload %s has the name of an engine class" % autoload})


static func _run(tree: SceneTree, test: GDScript, source: String, picture: String, kit: RefCounted) -> void:
	await tree.process_frame
	await tree.process_frame  # all autoloads are ready
	if _compiled(test, source) == null:
		kit.said.emit({"kind": "broken"})
		tree.quit()
		return
	if DisplayServer.get_name() == "headless":  # it has no size of its own
		tree.root.size = Vector2i(1280, 720)
	kit.said.emit({"kind": "begin"})
	kit.play.call_deferred(tree, test, picture)
	await kit.ended
	kit.said.emit({"kind": "end"})
	tree.quit()


static func _watch_over(tree: SceneTree, script: GDScript, path: String, kit: RefCounted) -> void:
	if script == null:
		kit.said.emit({"kind": "broken"})
		tree.quit()
		return
	var node: Node = null
	while node == null or not _is_at(node, path) and node.get_script() != script:
		node = await tree.node_added
	# a script of the project may have taken the path over since
	if node.get_script() == script:
		kit.said.emit({"kind": "begin"})
		await node.tree_exiting
	if node.get_script() != script:
		kit.said.emit({"kind": "tampered", "what": "the project put a script of its own in the place of the test"})
	kit.said.emit({"kind": "end"})


static func _is_at(node: Node, path: String) -> bool:
	var script: Script = node.get_script()
	return script != null and script.resource_path == path
