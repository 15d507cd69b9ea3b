extends Node
# Puts the test of a public task, a node of the project, into its place. Loaded before the project's own autoloads.
#
# The submission's code runs in the same process. It must not be able to read the test before it runs, or to say that
# the test in its place is ours. It can look at every member and every connection, replace the script of this node, and
# reload this script with another source, which also exchanges the code of living lambdas. What it cannot look into is
# a function that waits. Therefore
# - the test comes through a pipe that is empty once it was read, before any code of the project ran: what the engine
#   would load before any autoload was held back for that, and is given back here;
# - the key that signs what the host believes is a local variable of one waiting function, and nowhere else: there is no
#   object, signal or method that could be asked to sign;
# - reloading this script ends that function, and then nothing more is said.


func _init() -> void:
	name = "GameCraftHarness"
	process_mode = Node.PROCESS_MODE_ALWAYS
	_begin(self)
	var folder: String = get_script().resource_path.get_base_dir()
	load(folder.path_join("held_back.gd")).give_back(folder)


static func _begin(node: Node) -> void:
	var size := OS.read_buffer_from_stdin(16).get_string_from_ascii().to_int()
	var given: Dictionary = JSON.parse_string(OS.read_buffer_from_stdin(size).get_string_from_utf8())
	var key := Marshalls.base64_to_raw(given.key)
	var path: String = given.path
	# The test on the disk is an empty stand-in; the real one, with this run's words in it, takes its place in
	# memory. Now: the engine loads the test's scene before anything enters the tree.
	var test := GDScript.new()
	test.source_code = given.test
	given.clear()
	var is_sound := test.reload() == OK
	test.source_code = ""  # other code may look at the script, but has nothing to read
	if is_sound:
		test.take_over_path(path)
	_watch_over(node, test if is_sound else null, path, key)


static func _watch_over(node: Node, script: GDScript, path: String, key: PackedByteArray) -> void:
	await node.tree_entered  # the project's autoloads exist but have not entered
	var tree := node.get_tree()
	var count := 0
	var foreign := _autoload_like_a_class()
	if foreign != "":
		_say(key, count, "tampered", "the autoload %s has the name of an engine class" % foreign)
		count += 1
	if script == null:
		_say(key, count, "broken")
		tree.quit()
		return
	var found: Node = null
	while found == null or not _is_at(found, path) and found.get_script() != script:
		found = await tree.node_added
	# a script of the project may have taken the path over since
	if found.get_script() == script:
		_say(key, count, "begin")
		count += 1
		await found.tree_exiting
	if found.get_script() != script:
		_say(key, count, "tampered", "the project put a script of its own in the place of the test")
		count += 1
	_say(key, count, "end")


# Written out rather than made from a dictionary: there is one way to read such a line.
static func _say(key: PackedByteArray, count: int, kind: String, what := "") -> void:
	var text := "{\"n\":%d,\"kind\":\"%s\",\"what\":%s}" % [count, kind, JSON.stringify(what)]
	var signed := Crypto.new().hmac_digest(HashingContext.HASH_SHA256, key, text.to_utf8_buffer())
	print("\n@", signed.hex_encode(), " ", text)


# An autoload with the name of an engine class takes its place in every script, ours among them. The host has refused
# the names that this script needs.
static func _autoload_like_a_class() -> String:
	for property: Dictionary in ProjectSettings.get_property_list():
		var autoload := str(property.name).trim_prefix("autoload/")
		if autoload != property.name and ClassDB.class_exists(autoload):
			return autoload
	return ""


static func _is_at(node: Node, path: String) -> bool:
	var script: Script = node.get_script()
	return script != null and script.resource_path == path
