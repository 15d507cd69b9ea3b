extends RefCounted
# What a hidden test is written with. Checks are named; a check that was not reached counts as failed, so that a
# test that breaks off in the middle never passes. All coordinates of the screen are in the 1280×720 picture.

# Signals, because the values of members can be seen by every script that is called from here.
signal said(line: Dictionary)
signal ended

const MAX_MESSAGE := 2000
const FPS := 60.0
const FRAMES_PER_DRAWING := 6    # a tenth of a second is the longest step that GPU particles take at once

var parameters: Dictionary
var watch_script: GDScript
var _tree: SceneTree
var _scene: Node
var _held: Dictionary = {}       # action -> the event that it was pressed with
var _waiting: Dictionary = {}    # button -> its events that were not sent yet
var _sent: Dictionary = {}       # button -> the frame and the tick in which its last event was sent
var _loose: Array[Node] = []
var _drawn_on := 0


func play(tree: SceneTree, test_script: GDScript, picture_path: String) -> void:
	_tree = tree
	RenderingServer.render_loop_enabled = false   # drawing is what a test with a display costs: see _keep_drawing
	_drawn_on = Engine.get_process_frames()
	for method: Dictionary in test_script.get_script_method_list():
		if not str(method.name).begins_with("test_"):
			continue
		Engine.print_error_messages = true
		Engine.time_scale = 1.0
		said.emit({"kind": "test", "name": method.name})
		await test_script.new().call(method.name, self)
		await _tear_down(picture_path)
		if not Engine.print_error_messages:
			said.emit({"kind": "tampered", "what": "the project switched error messages off"})
	ended.emit()


func _tear_down(picture_path: String) -> void:
	for action: StringName in _held.keys():
		release(action)
	if picture_path != "" and can_draw() and is_instance_valid(_scene):
		(await picture()).save_png(picture_path)
	if is_instance_valid(_scene):
		_scene.queue_free()
	for node in _loose:
		if is_instance_valid(node):
			node.free()
	_loose.clear()
	_tree.paused = false
	await frames(2)
	await _until_seen()


# --- scenes and resources ---

## Opens a scene as the running one, the main scene by default, and lets it settle. Null if it cannot be opened.
func open(path := "") -> Node:
	if is_instance_valid(_scene):
		_scene.queue_free()
		await frames(1)
	var chosen: String = path if path != "" else ProjectSettings.get_setting("application/run/main_scene", "")
	var packed := resource(chosen) as PackedScene
	_scene = packed.instantiate() if packed != null and packed.can_instantiate() else null
	if _scene != null:
		_tree.root.add_child(_scene)
		_tree.current_scene = _scene
		await frames(2)
	return _scene


## A resource of the project, or null.
func resource(path: String) -> Resource:
	return ResourceLoader.load(path) if ResourceLoader.exists(path) else null


## A scene that is not added to the tree: to look at its nodes without running them. It is freed with the test.
func still(path: String) -> Node:
	var packed := resource(path) as PackedScene
	var node: Node = packed.instantiate() if packed != null and packed.can_instantiate() else null
	if node != null:
		_loose.append(node)
	return node


## The text of a file of the project, empty if there is none.
func text_of(path: String) -> String:
	return FileAccess.get_file_as_string(path)


## A parameter of the task, which its variants change.
func parameter(name: String) -> Variant:
	return parameters.get(name)


# --- finding nodes by what they are ---

## All nodes of a type (engine class, or global class of the project) in the opened scene, or below `under`.
func all(type: String, under: Node = null, where := Callable()) -> Array[Node]:
	var found: Array[Node] = []
	var top := under if under != null else _scene
	if top == null:
		return found
	var waiting: Array[Node] = [top]
	while not waiting.is_empty():
		var node: Node = waiting.pop_front()
		if is_a(node, type) and (not where.is_valid() or where.call(node)):
			found.append(node)
		waiting.append_array(node.get_children())
	return found


## The only node of a type (and of a condition), null if there is none or more than one.
func the(type: String, under: Node = null, where := Callable()) -> Node:
	var found := all(type, under, where)
	return found[0] if found.size() == 1 else null


## The first node of a type whose name, group, or script file has one of the words in it, whatever their case.
func role(words: Array, type := "Node", under: Node = null) -> Node:
	var found := all(type, under, func(node: Node) -> bool: return _plays(node, words))
	return found[0] if not found.is_empty() else null


func _plays(node: Node, words: Array) -> bool:
	var about := str(node.name) + " " + " ".join(node.get_groups().map(func(group: StringName) -> String: return str(group)))
	var script: Script = node.get_script()
	about += " " + (script.resource_path.get_file() if script != null else "")
	return words.any(func(word: String) -> bool: return about.to_lower().contains(word.to_lower()))


## Whether an object is of an engine class or of a global class of the project.
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


# --- checks: each returns whether it holds ---

func check(name: String, holds: Variant, message := "") -> bool:
	var ok := bool(holds)
	said.emit({"kind": "check", "name": name, "ok": ok, "message": "" if ok else message.left(MAX_MESSAGE)})
	return ok


func equal(name: String, actual: Variant, expected: Variant) -> bool:
	var same: bool = typeof(actual) == typeof(expected) or _is_number(actual) and _is_number(expected)
	return check(name, same and actual == expected, "is %s, expected %s" % [_shown(actual), _shown(expected)])


## Numbers, vectors, colours and rectangles, each component within the tolerance.
func near(name: String, actual: Variant, expected: Variant, tolerance: float) -> bool:
	return check(
		name, distance(actual, expected) <= tolerance,
		"is %s, expected %s ± %s" % [_shown(actual), _shown(expected), tolerance]
	)


func between(name: String, actual: Variant, low: float, high: float) -> bool:
	return check(
		name, _is_number(actual) and actual >= low and actual <= high,
		"is %s, expected %s to %s" % [_shown(actual), low, high]
	)


## Is it there? The usual first check on a node that was looked for.
func exists(name: String, object: Variant, message: String) -> bool:
	return check(name, object != null and (not object is Object or is_instance_valid(object)), message)


## The largest difference of components; infinite for values that cannot be compared.
func distance(one: Variant, other: Variant) -> float:
	if _is_number(one) and _is_number(other):
		return absf(float(one) - float(other))
	if typeof(one) != typeof(other):
		return INF
	var parts := _parts(one)
	var others := _parts(other)
	if parts.is_empty() or parts.size() != others.size():
		return INF
	var most := 0.0
	for index in parts.size():
		most = maxf(most, absf(parts[index] - others[index]))
	return most


func _parts(value: Variant) -> Array[float]:
	match typeof(value):
		TYPE_VECTOR2, TYPE_VECTOR2I: return [value.x, value.y]
		TYPE_VECTOR3, TYPE_VECTOR3I: return [value.x, value.y, value.z]
		TYPE_COLOR: return [value.r, value.g, value.b, value.a]
		TYPE_RECT2, TYPE_RECT2I: return [value.position.x, value.position.y, value.size.x, value.size.y]
	return []


func _is_number(value: Variant) -> bool:
	return typeof(value) in [TYPE_INT, TYPE_FLOAT]


func _shown(value: Variant) -> String:
	if value == null:
		return "nothing"
	if value is Node:
		return "%s (%s)" % [value.name, value.get_class()]
	return var_to_str(value) if not value is Object else str(value)


# --- time ---

# Every wait ends at the end of a frame, behind all `_physics_process` and `_process` of it.

# Timers of our own: whoever waits for a signal of the tree can be found there, and be woken with a false answer.
func frames(count: int) -> void:
	for index in count:
		await _tree.create_timer(0.0, true, false, true).timeout
		_send_waiting()
		_keep_drawing()


## So many physics ticks, and the rest of the frame in which the last of them falls.
func physics(count: int) -> void:
	var last := Engine.get_physics_frames() + count
	while Engine.get_physics_frames() < last:
		await frames(1)


## Seconds of the game's time; a second takes far less than a second here.
func seconds(duration: float) -> void:
	await physics(roundi(duration * Engine.physics_ticks_per_second))


## Waits until the condition holds; false if it did not within so many seconds of the game.
func until(condition: Callable, at_most_seconds: float) -> bool:
	var last := Engine.get_physics_frames() + roundi(at_most_seconds * Engine.physics_ticks_per_second)
	while Engine.get_physics_frames() < last:
		if condition.call():
			return true
		await frames(1)
	return bool(condition.call())


# --- input ---

# An event goes into the engine's own buffer, which it empties before the next frame, where a player's events land too.
# Flushed at once it would belong to a frame whose `_process` is over, and `is_action_just_pressed` is never true there.

## Presses what is bound to an action, a key if there is one, until it is released. The next frame sees it.
func press(action: StringName) -> void:
	if not _held.has(action):
		_held[action] = _bound(action)
		_send(action, _held[action], true)


func release(action: StringName) -> void:
	if _held.has(action):
		_send(action, _held[action], false)
		_held.erase(action)


## Press, hold for so many physics ticks, release.
func tap(action: StringName, held := 2) -> void:
	press(action)
	await physics(held)
	release(action)
	await _until_seen()


## A key of the keyboard, as a player hits it.
func key(code: Key, held := 2) -> void:
	var event := InputEventKey.new()
	event.physical_keycode = code
	event.keycode = code
	for pressed: bool in [true, false]:
		_send(code, event, pressed)
		await physics(held)
	await _until_seen()


## A click of the left button at a place of the screen.
func click(place: Vector2) -> void:
	var motion := InputEventMouseMotion.new()
	motion.position = place
	motion.global_position = place
	_buffer(motion)
	await frames(1)
	var event := InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_LEFT
	event.position = place
	event.global_position = place
	for pressed: bool in [true, false]:
		_send(&"left mouse button", event, pressed)
		await frames(2)
	await _until_seen()


## A click on the middle of a control.
func click_on(control: Control) -> void:
	await click(control.get_global_transform_with_canvas() * (control.size / 2))


# A player presses keys: code that asks for one (`_unhandled_key_input`, `event is InputEventKey`) never meets an action.
func _bound(action: StringName) -> InputEvent:
	var events := InputMap.action_get_events(action) if InputMap.has_action(action) else []
	for type: String in ["InputEventKey", "InputEventMouseButton", "InputEventJoypadButton"]:
		for event: InputEvent in events:
			if event.is_class(type):
				return _as_struck(event.duplicate())
	var only := InputEventAction.new()
	only.action = action
	return only


# What is bound names a key in one of several ways; one that is struck has them all.
func _as_struck(event: InputEvent) -> InputEvent:
	event.device = 0
	if event is InputEventKey:
		var code: Key = event.keycode if event.keycode != KEY_NONE else event.physical_keycode
		event.keycode = code if code != KEY_NONE else event.key_label
		if event.physical_keycode == KEY_NONE:
			event.physical_keycode = event.keycode
	elif event is InputEventMouseButton:
		event.position = _tree.root.get_visible_rect().get_center()
		event.global_position = event.position
	return event


func _send(button: Variant, event: InputEvent, pressed: bool) -> void:
	var copy: InputEvent = event.duplicate()
	copy.pressed = pressed
	if copy is InputEventMouseButton:
		copy.button_mask = 1 << (copy.button_index - 1) if pressed else 0
	_waiting.get_or_add(button, []).append(copy)
	_send_waiting()


# One event of a button after the other: the next is sent when a frame and a tick have seen the one before, or a press
# and a release between two ticks would be nothing to code that asks whether a button is held.
func _send_waiting() -> void:
	for button: Variant in _waiting.keys():
		if _is_seen(button):
			_buffer(_waiting[button].pop_front())
			_sent[button] = [Engine.get_process_frames(), Engine.get_physics_frames()]
			if _waiting[button].is_empty():
				_waiting.erase(button)


func _is_seen(button: Variant) -> bool:
	var at: Array = _sent.get(button, [-1, -1])
	return Engine.get_process_frames() > at[0] and Engine.get_physics_frames() > at[1]


func _until_seen() -> void:
	while not _waiting.is_empty() or not _sent.keys().all(_is_seen):
		await frames(1)


func _buffer(event: InputEvent) -> void:
	var accumulates := Input.use_accumulated_input
	Input.use_accumulated_input = true   # without it the event is not kept for the next frame
	Input.parse_input_event(event)
	Input.use_accumulated_input = accumulates


# --- signals ---

## From now on counts a signal: `.count`, `.emissions`, `.last()`. Null if there is no such signal.
func watch(object: Object, signal_name: StringName) -> RefCounted:
	if object == null or not object.has_signal(signal_name):
		return null
	var watcher: RefCounted = watch_script.new()
	object.connect(signal_name, watcher.note)
	return watcher


## Whether a signal of an object is connected to a method, of the given node if one is named.
func is_connected_to(object: Object, signal_name: StringName, target: Object = null, method := &"") -> bool:
	if object == null or not object.has_signal(signal_name):
		return false
	return object.get_signal_connection_list(signal_name).any(
		func(connection: Dictionary) -> bool:
			var callable: Callable = connection.callable
			return (target == null or callable.get_object() == target) and (method == &"" or callable.get_method() == method)
	)


# --- what the camera sees ---

## Where a node stands in the picture; (-1, -1) if the camera looks away from it.
func place_of(node: Node) -> Vector2:
	if node is CanvasItem:
		return (node as CanvasItem).get_global_transform_with_canvas().origin
	if node is Node3D:
		var camera := node.get_viewport().get_camera_3d()
		var spot: Vector3 = (node as Node3D).global_position
		if camera != null and not camera.is_position_behind(spot):
			return camera.unproject_position(spot)
	return Vector2(-1, -1)


## Whether a node is visible and its place lies in the picture.
func sees(node: Node) -> bool:
	if node is CanvasItem and not (node as CanvasItem).is_visible_in_tree():
		return false
	if node is Node3D:
		var camera := node.get_viewport().get_camera_3d()
		if not (node as Node3D).is_visible_in_tree() or camera == null:
			return false
		return camera.is_position_in_frustum((node as Node3D).global_position)
	return _tree.root.get_visible_rect().has_point(place_of(node))


# --- pixels; only for tasks that ask for a display ---

func can_draw() -> bool:
	return DisplayServer.get_name() != "headless"


## The picture as it is drawn now.
func picture() -> Image:
	await frames(1)
	_draw()
	return _tree.root.get_texture().get_image()


# While nobody looks, every sixth frame is enough, unless the project can tell.
func _keep_drawing() -> void:
	if can_draw() and (Engine.get_process_frames() - _drawn_on >= FRAMES_PER_DRAWING or _drawing_is_noticed()):
		_draw()


func _drawing_is_noticed() -> bool:
	for type: String in ["VisibleOnScreenNotifier2D", "VisibleOnScreenNotifier3D"]:
		if not _tree.root.find_children("*", type, true, false).is_empty():
			return true
	return [&"frame_pre_draw", &"frame_post_draw"].any(
		func(moment: StringName) -> bool:
			return RenderingServer.get_signal_connection_list(moment).any(
				func(connection: Dictionary) -> bool:   # CPU particles only prepare themselves
					var listener: Object = connection.callable.get_object()
					return not (listener is CPUParticles2D or listener is CPUParticles3D)
			)
	)


func _draw() -> void:
	var now := Engine.get_process_frames()
	RenderingServer.force_draw(false, (now - _drawn_on) / FPS)
	_drawn_on = now


func pixel(place: Vector2) -> Color:
	return (await picture()).get_pixelv(Vector2i(place))


## The share of a rectangle whose pixels have a colour, each component within the tolerance.
func share(image: Image, area: Rect2, color: Color, tolerance := 0.08) -> float:
	return _share(image, area, func(found: Color) -> bool: return distance(found, color) <= tolerance)


## The share of a rectangle whose pixels differ between two pictures.
func difference(one: Image, other: Image, area: Rect2, tolerance := 0.03) -> float:
	var inside := Rect2i(area).intersection(Rect2i(Vector2i.ZERO, one.get_size()))
	var differing := 0
	for y in range(inside.position.y, inside.end.y):
		for x in range(inside.position.x, inside.end.x):
			if distance(one.get_pixel(x, y), other.get_pixel(x, y)) > tolerance:
				differing += 1
	return float(differing) / maxf(inside.get_area(), 1.0)


func _share(image: Image, area: Rect2, matches: Callable) -> float:
	var inside := Rect2i(area).intersection(Rect2i(Vector2i.ZERO, image.get_size()))
	var matching := 0
	for y in range(inside.position.y, inside.end.y):
		for x in range(inside.position.x, inside.end.x):
			if matches.call(image.get_pixel(x, y)):
				matching += 1
	return float(matching) / maxf(inside.get_area(), 1.0)


# --- animation ---

## An animation of an AnimationPlayer, or null.
func animation(player: AnimationPlayer, name: StringName) -> Animation:
	return player.get_animation(name) if player != null and player.has_animation(name) else null


## The keys of the track that drives a property, as [[time, value], …]; empty if there is none.
func keys(of: Animation, property: String) -> Array[Array]:
	var found: Array[Array] = []
	for track in of.get_track_count() if of != null else 0:
		var path := str(of.track_get_path(track))
		if path == property or path.ends_with(":" + property) or path.get_slice(":", 0).ends_with(property):
			for index in of.track_get_key_count(track):
				found.append([of.track_get_key_time(track, index), of.track_get_key_value(track, index)])
	return found


## The pieces of the sheet that the frames of an animation show, as rectangles; empty if there is none.
func regions(sprite_frames: SpriteFrames, name: StringName) -> Array[Rect2]:
	var found: Array[Rect2] = []
	if sprite_frames != null and sprite_frames.has_animation(name):
		for index in sprite_frames.get_frame_count(name):
			var texture := sprite_frames.get_frame_texture(name, index)
			if texture is AtlasTexture:
				found.append((texture as AtlasTexture).region)
			elif texture != null:
				found.append(Rect2(Vector2.ZERO, texture.get_size()))
	return found
