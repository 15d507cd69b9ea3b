extends RefCounted
# What a hidden test is written with. Checks are named; a check that was not reached counts as failed, so that a
# test that breaks off in the middle never passes. All coordinates of the screen are in the 1280×720 picture.
# Objects of the project are proxies: they live in another process, which is asked for each property and each method.

signal said(line: Dictionary)

const Link := preload("res://link.gd")
const Proxy := preload("res://proxy.gd")
const Watch := preload("res://watch.gd")
const MAX_MESSAGE := 2000

var _link: Link
var _parameters: Dictionary


func _init(link: Link, parameters: Dictionary) -> void:
	_link = link
	_parameters = parameters


## Runs every function test_*(t). Nothing waits here: the other process does, while it is asked.
func play(test: GDScript, picture_path: String) -> void:
	var last: Image = null
	for method: Dictionary in test.get_script_method_list():
		if not str(method.name).begins_with("test_"):
			continue
		said.emit({"kind": "test", "name": method.name})
		_link.begin()
		test.new().call(method.name, self)
		if _link.broken_off != "":
			said.emit({"kind": "broke off", "test": method.name, "what": _link.broken_off})
		if picture_path != "" and can_draw():
			last = picture()
		_link.ask("over", [])
	if last != null:
		last.save_png(picture_path)


# --- scenes, resources and files of the project ---

## Opens a scene as the running one, the main scene by default, and lets it settle. Null if it cannot be opened.
func open(path := "") -> Variant:
	return _link.object("open", [path])


## A resource of the project, or null.
func resource(path: String) -> Variant:
	return _link.object("resource", [path])


## A scene that is not added to the tree: to look at its nodes without running them. It is freed with the test.
func still(path: String) -> Variant:
	return _link.object("still", [path])


## The text of a file of the project (or of `user://`), empty if there is none.
func text_of(path: String) -> String:
	return _link.text("text", [path])


func has_file(path: String) -> bool:
	return _link.truth("has file", [path])


func write(path: String, text: String) -> void:
	_link.ask("write", [path, text])


func remove(path: String) -> void:
	_link.ask("remove", [path])


## A parameter of the task, which its variants change.
func parameter(name: String) -> Variant:
	return _parameters.get(name)


# --- objects of the project ---

## A new object of an engine class, made in the project's process, with these properties. A node is freed with the test.
func make(type: String, properties := {}) -> Variant:
	return _link.object("make", [type, properties])


## A singleton of the project's engine: `t.engine("AudioServer")`.
func engine(singleton: String) -> Variant:
	return _link.object("engine", [singleton])


## Whether an object still exists.
func alive(object: Variant) -> bool:
	return object is Proxy and _link.truth("alive", [object])


## Frees a node at once.
func free_now(object: Variant) -> void:
	_link.ask("free", [object])


## Whether an object is of an engine class or of a global class of the project.
func is_a(object: Variant, type: String) -> bool:
	return object is Proxy and _link.truth("is", [object, type])


# --- finding nodes by what they are ---

## All nodes of a type (engine class, or global class of the project) in the opened scene, or below `under`. `where` is
## a function, or what the project can look for itself, which is faster: {"name": …}, "group", "method" or "signal".
func all(type: String, under: Variant = null, where: Variant = null) -> Array:
	var found := _link.objects("all", [type, under, where if where is Dictionary else {}])
	return found.filter(where) if where is Callable else found


## The only node of a type (and of a condition), null if there is none or more than one.
func the(type: String, under: Variant = null, where: Variant = null) -> Variant:
	var found := all(type, under, where)
	return found[0] if found.size() == 1 else null


## The first node of a type whose name, group, or script file has one of the words in it, whatever their case.
func role(words: Array, type := "Node", under: Variant = null) -> Variant:
	return _link.object("role", [words, type, under])


# --- checks: each returns whether it holds ---

## The message may be a function, called only where the check does not hold: asking the project for words costs time.
func check(name: String, holds: Variant, message: Variant = "") -> bool:
	var ok := bool(holds) and _link.broken_off == ""
	if _link.broken_off == "":
		var why := "" if ok else str(message.call() if message is Callable else message)
		said.emit({"kind": "check", "name": name, "ok": ok, "message": why.left(MAX_MESSAGE)})
	return ok


func equal(name: String, actual: Variant, expected: Variant) -> bool:
	var same: bool = _type(actual) == _type(expected) or _is_number(actual) and _is_number(expected)
	return check(name, same and actual == expected, func() -> String: return "is %s, expected %s" % [_shown(actual), _shown(expected)])

## Numbers, vectors, colours and rectangles, each component within the tolerance.
func near(name: String, actual: Variant, expected: Variant, tolerance: float) -> bool:
	return check(
		name, distance(actual, expected) <= tolerance,
		func() -> String: return "is %s, expected %s ± %s" % [_shown(actual), _shown(expected), tolerance]
	)


func between(name: String, actual: Variant, low: float, high: float) -> bool:
	return check(
		name, _is_number(actual) and actual >= low and actual <= high,
		func() -> String: return "is %s, expected %s to %s" % [_shown(actual), low, high]
	)


## Is it there? The usual first check on a node that was looked for.
func exists(name: String, object: Variant, message: String) -> bool:
	return check(name, object != null and (not object is Proxy or alive(object)), message)


## The largest difference of components; infinite for values that cannot be compared.
func distance(one: Variant, other: Variant) -> float:
	var parts := _parts(one)
	var others := _parts(other)
	if parts.is_empty() or parts.size() != others.size() or typeof(one) != typeof(other) and parts.size() > 1:
		return INF
	var most := 0.0
	for index in parts.size():
		var apart := absf(parts[index] - others[index])
		if is_nan(apart):  # greater and smaller than nothing: the largest of a list would not be one
			return INF
		most = maxf(most, apart)
	return most


func _parts(value: Variant) -> Array[float]:
	match typeof(value):
		TYPE_INT, TYPE_FLOAT: return [float(value)]
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
	return var_to_str(_readable(value)) if not value is Object else str(value)


func _readable(value: Variant) -> Variant:
	if value is Array:
		return value.map(_readable)
	if value is Dictionary:
		var found := {}
		for key: Variant in value:
			found[_readable(key)] = _readable(value[key])
		return found
	return str(value) if value is Object else value


# What the engine gives where an object could be is null too, but of another type.
func _type(value: Variant) -> int:
	return TYPE_NIL if value == null else typeof(value)


# --- time ---

# Every wait ends at the end of a frame, behind all `_physics_process` and `_process` of it.

func frames(count: int) -> void:
	_link.ask("frames", [count])


## So many physics ticks, and the rest of the frame in which the last of them falls.
func physics(count: int) -> void:
	_link.ask("physics", [count])


## Seconds of the game's time; a second takes far less than a second here.
func seconds(duration: float) -> void:
	physics(roundi(duration * _link.ticks_per_second))


## Waits until the condition holds; false if it did not within so many seconds of the game.
func until(condition: Callable, at_most_seconds: float) -> bool:
	var last := _link.tick + roundi(at_most_seconds * _link.ticks_per_second)
	while _link.tick < last:
		if condition.call():
			return true
		frames(1)
	return bool(condition.call())


## The number of the frame that the project is in.
func frame() -> int:
	return _link.frame


## What was to be seen before each of so many ticks: [[object, "property or method"], …] gives a list of values for each.
## For tests that follow something frame by frame: asked one by one, the values would take most of the time.
func record(ticks: int, asked: Array) -> Array:
	var told: Variant = _link.ask("record", [ticks, asked])
	var whole: bool = told is Array and told.size() == ticks \
			and told.all(func(row: Variant) -> bool: return row is Array and row.size() == asked.size())
	if not whole:
		_link.break_off("the record is not whole")
	return told if whole else []


# --- input ---

## Presses what is bound to an action, a key if there is one, until it is released. The next frame sees it.
func press(action: StringName) -> void:
	_link.ask("press", [action])


func release(action: StringName) -> void:
	_link.ask("release", [action])


## Press, hold for so many physics ticks, release.
func tap(action: StringName, held := 2) -> void:
	_link.ask("tap", [action, held])


## A key of the keyboard, as a player hits it.
func key(code: Key, held := 2) -> void:
	_link.ask("key", [code, held])


## A click of the left button at a place of the screen.
func click(place: Vector2) -> void:
	_link.ask("click", [place])


## A click on the middle of a control.
func click_on(control: Variant) -> void:
	_link.ask("click on", [control])


## An event of the test's own making, which the next frame sees like one of a player.
func send(event: InputEvent) -> void:
	_link.ask("send", [event])


## An event for the root window, at once: `Input` and code that polls do not see it.
func push(event: InputEvent) -> void:
	_link.ask("push", [event])


# --- signals ---

## From now on counts a signal: `.count`, `.emissions`, `.last()`. Null if there is no such signal. With
## [[object, "property"], …] it also keeps what these were when the signal came: `.samples`.
func watch(object: Variant, signal_name: StringName, sampled := []) -> Variant:
	if object == null or not _link.truth("watch", [object, signal_name, _link.watchers.size(), sampled]):
		return null
	var watcher := Watch.new()
	_link.watchers.append(watcher)
	return watcher


## Whether a signal of an object is connected to a method, of the given node if one is named.
func is_connected_to(object: Variant, signal_name: StringName, target: Variant = null, method := &"") -> bool:
	return _link.truth("connected", [object, signal_name, target, method])


# --- what the camera sees ---

## Where a node stands in the picture; (-1, -1) if the camera looks away from it.
func place_of(node: Variant) -> Vector2:
	var place: Variant = _link.ask("place", [node])
	return place if place is Vector2 else Vector2(-1, -1)


## Whether a node is visible and its place lies in the picture.
func sees(node: Variant) -> bool:
	return _link.truth("sees", [node])


# --- pixels; only for tasks that ask for a display ---

func can_draw() -> bool:
	return _link.truth("can draw", [])


## The picture as it is drawn now.
func picture() -> Image:
	var drawn: Variant = _link.ask("picture", [])
	return drawn if drawn is Image else null


func pixel(place: Vector2) -> Color:
	return picture().get_pixelv(Vector2i(place))


## The share of a rectangle whose pixels have a colour, each component within the tolerance.
func share(image: Image, area: Rect2, color: Color, tolerance := 0.08) -> float:
	var inside := Rect2i(area).intersection(Rect2i(Vector2i.ZERO, image.get_size()))
	var matching := 0
	for y in range(inside.position.y, inside.end.y):
		for x in range(inside.position.x, inside.end.x):
			if _apart(image.get_pixel(x, y), color) <= tolerance:
				matching += 1
	return float(matching) / maxf(inside.get_area(), 1.0)


## The share of a rectangle whose pixels differ between two pictures.
func difference(one: Image, other: Image, area: Rect2, tolerance := 0.03) -> float:
	var inside := Rect2i(area).intersection(Rect2i(Vector2i.ZERO, one.get_size()))
	var differing := 0
	for y in range(inside.position.y, inside.end.y):
		for x in range(inside.position.x, inside.end.x):
			if _apart(one.get_pixel(x, y), other.get_pixel(x, y)) > tolerance:
				differing += 1
	return float(differing) / maxf(inside.get_area(), 1.0)


func _apart(one: Color, other: Color) -> float:
	return maxf(maxf(absf(one.r - other.r), absf(one.g - other.g)), maxf(absf(one.b - other.b), absf(one.a - other.a)))


# --- animation ---

## An animation of an AnimationPlayer, or null.
func animation(player: Variant, name: StringName) -> Variant:
	if player == null or not _link.truth("call", [player, &"has_animation", [name]]):
		return null
	return _link.object("call", [player, &"get_animation", [name]])


## The keys of the track that drives a property, as [[time, value], …]; empty if there is none.
func keys(of: Variant, property: String) -> Array:
	var found: Variant = _link.ask("keys", [of, property])
	return found if found is Array else []


## The pieces of the sheet that the frames of an animation show, as rectangles; empty if there is none.
func regions(sprite_frames: Variant, name: StringName) -> Array:
	var found: Variant = _link.ask("regions", [sprite_frames, name])
	return found if found is Array else []
