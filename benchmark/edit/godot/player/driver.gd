extends Node
# Answers, from inside the project, what the hidden test asks about it. The test runs in another process, behind a
# socket: it keeps what it expects, its parameters and its verdict to itself. So nothing here has to be hidden from the
# project, which may read, call or replace all of it: it then answers for itself, and can only answer.

const CHANNEL := "channel"     # a folder beside that of this script
const OBJECT := "#object"      # how the test writes one of our objects, by its id
const EVENT := "#event"        # and an input event of its own making, by its properties
const Eyes := preload("eyes.gd")
const Hands := preload("hands.gd")
const Watcher := preload("watcher.gd")
const CONNECT_SEC := 30.0


var _stream := StreamPeerUDS.new()
var _failure := ""               # why the question cannot be answered
var _scene: Node
var _kept: Dictionary = {}       # what the test was told of and nothing else may hold
var _loose: Array[Node] = []
var _watchers: Array[Array] = [] # [object, signal, watcher]
var _emissions: Array[PackedByteArray] = []  # since the last answer
var _hands := Hands.new()
var _eyes := Eyes.new()


func _init() -> void:
	name = "GameCraftHarness"
	process_mode = Node.PROCESS_MODE_ALWAYS
	_hands.driver = self
	_eyes.driver = self
	var folder: String = (get_script() as Script).resource_path.get_base_dir().get_base_dir().path_join(CHANNEL)
	var until := Time.get_ticks_msec() + CONNECT_SEC * 1000.0
	while not FileAccess.file_exists(folder + "/ready") and Time.get_ticks_msec() < until:
		OS.delay_msec(1)  # the test's engine starts beside this one
	_stream.connect_to_host(folder + "/socket")


func _ready() -> void:
	await get_tree().process_frame
	await get_tree().process_frame  # all autoloads are ready
	if DisplayServer.get_name() == "headless":  # it has no size of its own
		get_tree().root.size = Vector2i(1280, 720)
	_eyes.take_over()
	await frames(1)
	while true:
		var size: Array = _stream.get_data(4)
		if size[0] != OK:
			get_tree().quit()  # the test is over
			return
		var question: Array = bytes_to_var(_stream.get_data((size[1] as PackedByteArray).decode_u32(0))[1])
		_failure = ""
		var value: Variant = await _answer(question[1], _read(question.slice(2)))
		_send(question[0], value)


func _send(number: int, value: Variant) -> void:
	var picture: Image = value if value is Image else null
	_keep(value)
	var told := [
		number, _failure, null if picture != null else value, _emissions,
		Engine.get_process_frames(), Engine.get_physics_frames(), Engine.physics_ticks_per_second,
	]
	_emissions = []
	if picture != null:
		if picture.is_compressed():
			picture = picture.duplicate()
			picture.decompress()
		if picture.get_format() not in [Image.FORMAT_RGB8, Image.FORMAT_RGBA8]:
			picture = picture.duplicate()
			picture.convert(Image.FORMAT_RGBA8)
		picture = picture if not picture.has_mipmaps() else Image.create_from_data(
			picture.get_width(), picture.get_height(), false, picture.get_format(),
			picture.get_data().slice(0, picture.get_mipmap_offset(1))
		)
		told.append_array([picture.get_width(), picture.get_height(), picture.get_format()])
	var words := var_to_bytes(told)
	if words.is_empty():
		words = var_to_bytes([number, "the answer cannot be told", null, [], 0, 0, 0])
	var pixels := picture.get_data() if picture != null else PackedByteArray()
	var message := PackedByteArray()
	message.resize(8)
	message.encode_u32(0, words.size())
	message.encode_u32(4, pixels.size())
	message.append_array(words)
	message.append_array(pixels)
	_stream.put_data(message)


# The test knows objects by their ids only.
func _keep(value: Variant) -> void:
	if value is RefCounted:
		_kept[value] = true
	elif value is Array:
		value.map(_keep)
	elif value is Dictionary:
		value.keys().map(_keep)
		value.values().map(_keep)


func _read(value: Variant) -> Variant:
	if value is Array:
		return value.map(_read)
	if not value is Dictionary:
		return value
	if value.size() == 1 and value.has(OBJECT):
		return instance_from_id(value[OBJECT])
	if value.has(EVENT):
		var event: InputEvent = ClassDB.instantiate(value[EVENT])
		for property: String in value.properties:
			event.set(property, value.properties[property])
		return event
	var found := {}
	for key: Variant in value:
		found[_read(key)] = _read(value[key])
	return found


func _answer(question: String, of: Array) -> Variant:
	if question in ["get", "set", "call", "free"] and of[0] == null:
		_failure = "what was asked for %s does not exist any more" % [of.slice(1, 2)]
		return null
	match question:
		"get": return _property(of[0], of[1])
		"set": _set_property(of[0], of[1], of[2])
		"call": return _called(of[0], of[1], of[2])
		"free": _free(of[0])
		"alive": return of[0] != null
		"told": return _told(of[0])
		"is": return is_a(of[0], of[1])
		"open": return await open(of[0])
		"resource": return resource(of[0])
		"still": return still(of[0])
		"text": return FileAccess.get_file_as_string(of[0])
		"has file": return FileAccess.file_exists(of[0])
		"write": _write(of[0], of[1])
		"remove": DirAccess.remove_absolute(of[0])
		"make": return _made(of[0], of[1])
		"engine": return _singleton(of[0])
		"all": return _all(of[0], of[1]).filter(_fits.bind(of[2]))
		"role": return _role(of[0], of[1], of[2])
		"frames": await frames(of[0])
		"physics": await physics(of[0])
		"record": return await _recorded(of[0], of[1])
		"press": _hands.press(of[0])
		"release": _hands.release(of[0])
		"tap": await _hands.tap(of[0], of[1])
		"key": await _hands.key(of[0], of[1])
		"click": await _hands.click(of[0])
		"click on": await _hands.click_on(of[0])
		"send": _hands.buffer(of[0])
		"push": get_tree().root.push_input(of[0])
		"watch": return _watch(of[0], of[1], of[2], of[3])
		"connected": return _is_connected(of[0], of[1], of[2], of[3])
		"place": return _eyes.place_of(of[0])
		"sees": return _eyes.sees(of[0])
		"can draw": return _eyes.can_draw()
		"picture": return await _eyes.picture()
		"keys": return _eyes.keys(of[0], of[1])
		"regions": return _eyes.regions(of[0], of[1])
		"over": await _tear_down()
	return null


# --- objects ---

func _property(object: Object, property: StringName) -> Variant:
	var value: Variant = object.get(property)
	if value == null and not property in object:
		_failure = "%s has no property %s" % [_told(object), property]
	return value


func _set_property(object: Object, property: StringName, value: Variant) -> void:
	if not property in object:
		_failure = "%s has no property %s" % [_told(object), property]
	object.set(property, value)


func _called(object: Object, method: StringName, arguments: Array) -> Variant:
	if not object.has_method(method):
		_failure = "%s has no method %s()" % [_told(object), method]
		return null
	return object.callv(method, arguments)


func _free(object: Object) -> void:
	if not object is RefCounted:
		object.free()


func _told(object: Object) -> String:
	if object == null:
		return "a freed object"
	return "%s (%s)" % [(object as Node).name, object.get_class()] if object is Node else str(object)


func is_a(object: Object, type: String) -> bool:
	if object == null:
		return false
	if object.is_class(type):
		return true
	var script: Script = object.get_script()
	while script != null:
		if script.get_global_name() == type:
			return true
		script = script.get_base_script()
	return false


func _made(type: StringName, properties: Dictionary) -> Object:
	if not ClassDB.can_instantiate(type):
		_failure = "the engine has no class %s to make one of" % type
		return null
	var made: Object = ClassDB.instantiate(type)
	if made is Node:
		_loose.append(made)
	for property: String in properties:
		_set_property(made, property, properties[property])
	return made


func _singleton(type: StringName) -> Object:
	if not Engine.has_singleton(type):
		_failure = "the engine has no singleton %s" % type
		return null
	return Engine.get_singleton(type)


# --- scenes and files ---

func open(path: String) -> Node:
	if is_instance_valid(_scene):
		_scene.queue_free()
		await frames(1)
	var chosen: String = path if path != "" else ProjectSettings.get_setting("application/run/main_scene", "")
	var packed := resource(chosen) as PackedScene
	_scene = packed.instantiate() if packed != null and packed.can_instantiate() else null
	if _scene != null:
		get_tree().root.add_child(_scene)
		get_tree().current_scene = _scene
		await frames(2)
	return _scene


func resource(path: String) -> Resource:
	return ResourceLoader.load(path) if ResourceLoader.exists(path) else null


func still(path: String) -> Node:
	var packed := resource(path) as PackedScene
	var node: Node = packed.instantiate() if packed != null and packed.can_instantiate() else null
	if node != null:
		_loose.append(node)
	return node


func _write(path: String, text: String) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		_failure = "%s cannot be written" % path
		return
	file.store_string(text)
	file.close()


# Everything is as it was before the test function, and its last picture is taken.
func _tear_down() -> void:
	_hands.release_all()
	for one in _watchers:
		if is_instance_valid(one[0]) and (one[0] as Object).is_connected(one[1], one[2].note):
			(one[0] as Object).disconnect(one[1], one[2].note)
	_watchers.clear()
	if is_instance_valid(_scene):
		_scene.queue_free()
	for node in _loose:
		if is_instance_valid(node):
			node.free()
	_loose.clear()
	_kept.clear()
	get_tree().paused = false
	Engine.time_scale = 1.0
	await frames(2)
	await _hands.until_seen()


# --- finding nodes by what they are ---

func _all(type: String, under: Node) -> Array[Node]:
	var found: Array[Node] = []
	var top := under if under != null else _scene
	if not is_instance_valid(top):
		return found
	var waiting: Array[Node] = [top]
	while not waiting.is_empty():
		var node: Node = waiting.pop_front()
		if is_a(node, type):
			found.append(node)
		waiting.append_array(node.get_children())
	return found


func _fits(node: Node, where: Dictionary) -> bool:
	return (
		(not where.has("name") or str(node.name) == str(where.name)) and (not where.has("group") or node.is_in_group(where.group))
		and (not where.has("method") or node.has_method(where.method)) and (not where.has("signal") or node.has_signal(where.signal))
	)


func _role(words: Array, type: String, under: Node) -> Node:
	for node in _all(type, under):
		var groups := " ".join(node.get_groups().map(func(group: StringName) -> String: return str(group)))
		var script: Script = node.get_script()
		var file := script.resource_path.get_file() if script != null else ""
		var about := "%s %s %s" % [node.name, groups, file]
		if words.any(func(word: String) -> bool: return about.to_lower().contains(word.to_lower())):
			return node
	return null


# --- time ---

# Every wait ends at the end of a frame, behind all `_physics_process` and `_process` of it.

func frames(count: int) -> void:
	for index in count:
		await get_tree().create_timer(0.0, true, false, true).timeout
		_hands.send_waiting()
		_eyes.keep_drawing()


func physics(count: int) -> void:
	var last := Engine.get_physics_frames() + count
	while Engine.get_physics_frames() < last:
		await frames(1)


# What was to be seen before each of so many ticks: asked one by one, it would cost most of a test's time.
func _recorded(ticks: int, asked: Array) -> Array:
	var found := []
	for tick in ticks:
		found.append(asked.map(func(one: Array) -> Variant: return Watcher.seen(one[0], one[1])))
		await physics(1)
	return found


# --- signals ---

func _watch(object: Object, signal_name: StringName, number: int, samples: Array) -> bool:
	if object == null or not object.has_signal(signal_name):
		return false
	var watcher := Watcher.new()
	watcher.driver = self
	watcher.number = number
	watcher.samples = samples
	object.connect(signal_name, watcher.note)
	_watchers.append([object, signal_name, watcher])
	return true


# Told at once: by the time of the answer what is in it may be freed.
func emitted(number: int, arguments: Array, seen: Array) -> void:
	_keep(arguments)
	_keep(seen)
	_emissions.append(var_to_bytes([number, arguments, seen]))


func _is_connected(object: Object, signal_name: StringName, target: Object, method: StringName) -> bool:
	if object == null or not object.has_signal(signal_name):
		return false
	return object.get_signal_connection_list(signal_name).any(
		func(connection: Dictionary) -> bool:
			var callable: Callable = connection.callable
			if callable.get_object() is Watcher:
				return false
			return (target == null or callable.get_object() == target) and (method == &"" or callable.get_method() == method)
	)
