extends Node
# Runs a hidden test inside the submitted project. Loaded before the project's own autoloads.
#
# The submission's code runs in the same process and must not be able to read the test, to speak for it, or to
# change what it found. Therefore the test comes through a pipe that is empty once it was read; nothing is kept in
# a member that other code could look up, only in captures of lambdas; and every line that the host believes is
# signed with a key that came with the test.

const SETTLE_FRAMES := 2


func _init() -> void:
	name = "GameCraftHarness"
	process_mode = Node.PROCESS_MODE_ALWAYS
	var size := OS.read_buffer_from_stdin(16).get_string_from_ascii().to_int()
	var given: Dictionary = JSON.parse_string(OS.read_buffer_from_stdin(size).get_string_from_utf8())
	var key: PackedByteArray = Marshalls.base64_to_raw(given.key)
	var count := [0]
	var say := func(line: Dictionary) -> void:
		line["n"] = count[0]
		count[0] += 1
		var text := JSON.stringify(line)
		var signed := Crypto.new().hmac_digest(HashingContext.HASH_SHA256, key, text.to_utf8_buffer())
		print("\n@", signed.hex_encode(), " ", text)
	# when it enters the tree, the project's autoloads exist but have not entered it
	var begin := func() -> void:
		if given.kind == "imported":
			_lay_over(given, say)
		else:
			_run(given, say)
	tree_entered.connect(begin, CONNECT_ONE_SHOT)


static func _compiled(source: String, say: Callable, what: String) -> GDScript:
	var script := GDScript.new()
	script.source_code = source
	if script.reload() != OK:
		say.call({"kind": "broken", "what": what})
		return null
	script.source_code = ""  # other code may look at the script, but has nothing to read
	return script


func _run(given: Dictionary, say: Callable) -> void:
	var tree := get_tree()
	var kit_script := _compiled(given.kit, say, "the test kit")
	var watch_script := _compiled(given.watch, say, "the test kit")
	await tree.process_frame
	await tree.process_frame  # all autoloads are ready
	var test_script := _compiled(given.test, say, "the test")
	if kit_script == null or test_script == null:
		tree.quit()
		return
	if DisplayServer.get_name() == "headless":  # it has no size of its own
		tree.root.size = Vector2i(1280, 720)
	say.call({"kind": "begin"})
	for method: Dictionary in test_script.get_script_method_list():
		if not str(method.name).begins_with("test_"):
			continue
		var kit: RefCounted = kit_script.new()
		kit.setup(tree, say, given.parameters, watch_script)
		Engine.print_error_messages = true
		Engine.time_scale = 1.0
		say.call({"kind": "test", "name": method.name})
		await test_script.new().call(method.name, kit)
		await kit.tear_down(given.picture)
		if not Engine.print_error_messages:
			say.call({"kind": "tampered", "what": "the project switched error messages off"})
	say.call({"kind": "end"})
	tree.quit()


func _lay_over(given: Dictionary, say: Callable) -> void:
	# The test on the disk is an empty stand-in; the real one, with this run's words in it, takes its place in memory.
	var script := _compiled(given.test, say, "the test")
	if script == null:
		get_tree().quit()
		return
	script.take_over_path(given.path)
	# a reference that nothing else can look up keeps it alive
	var hold := func() -> void: script.get_class()
	tree_exiting.connect(hold)
	say.call({"kind": "begin"})
