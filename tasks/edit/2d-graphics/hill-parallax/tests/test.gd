extends RefCounted
# The camera is sent along the level; where the pieces of each layer then stand in the picture tells its scroll scale,
# and the picture itself whether a layer fills it.

const WIDTH = {"Clouds": 1600.0, "Mountains": 1280.0, "Hills": 960.0, "Trees": 640.0}
const CHILDREN = {"Clouds": 4, "Mountains": 3, "Hills": 6, "Trees": 6}
const SKY = Color(0.72, 0.89, 0.97)


func test_the_layers(t):
	await t.open()
	var missing = WIDTH.keys().filter(func(name): return _layer(t, name) == null)
	if not t.check("all four are Parallax2D nodes", missing.is_empty(), "not, or not there: %s" % ", ".join(missing)):
		return
	for name in WIDTH:
		t.equal("they have kept their children", [name, _layer(t, name).get_child_count()], [name, CHILDREN[name]])
	t.near("the clouds repeat as asked", _layer(t, "Clouds").repeat_size.x, WIDTH["Clouds"], 0.5)
	_look_at(t, Vector2(640, 720))
	await t.frames(3)
	for name in WIDTH:
		var off = _off(t, name, 1.0)
		t.check("at the left end everything is where it was", off.length() < (12.0 if name == "Clouds" else 1.5), "%s is %s off" % [name, off])


func test_sideways(t):
	await t.open()
	for x in [1500.0, 2633.0, 4480.0]:
		_look_at(t, Vector2(x, 720))
		await t.frames(3)
		for name in ["Mountains", "Hills", "Trees"]:
			var off = _off(t, name, t.parameter(name.to_lower()))
			t.check("they follow the camera at the asked scale", absf(off.x) < 2.0,
					"with the camera at %d, %s is %.0f pixels away from where scale %s would have it" % [x, name, off.x, t.parameter(name.to_lower())])


func test_up_and_down(t):
	await t.open()
	for y in [720.0, 400.0]:
		_look_at(t, Vector2(640, y))
		await t.frames(3)
		for name in WIDTH:
			var off = _off(t, name, t.parameter(name.to_lower()))
			t.check("up and down they stay with the level", absf(off.y) < 1.5, "with the camera at y %d, %s is %.0f pixels off" % [y, name, off.y])


func test_the_drift(t):
	await t.open()
	var places = {}
	_look_at(t, Vector2(640, 720))
	await t.frames(3)
	for name in WIDTH:
		places[name] = t.place_of(_piece(t, name)).x
	await t.seconds(2)
	for name in WIDTH:
		var way = t.place_of(_piece(t, name)).x - places[name]
		if name == "Clouds":
			t.near("the clouds drift as fast as asked", wrapf(way, -800.0, 800.0), -2.0 * t.parameter("drift"), 3.0)
			var before = t.place_of(_piece(t, name)).x
			_look_at(t, Vector2(2640, 720))
			await t.frames(3)
			var expected = -2000.0 * t.parameter("clouds") - t.parameter("drift") * 0.05
			t.near("the clouds follow the camera at the asked scale", wrapf(t.place_of(_piece(t, name)).x - before, -800.0, 800.0), expected, 4.0)
			_look_at(t, Vector2(640, 720))
			await t.frames(3)
		else:
			t.near("the others do not drift", way, 0.0, 0.5)


func test_they_fill_the_picture(t):
	await t.open()
	var scene = t.the("CharacterBody2D").get_parent()
	for item in scene.get_children():
		if t.is_a(item, "CanvasItem"):
			item.visible = false
	# the row of the level to look at, and how far apart the pieces of a layer may stand
	for one in [["Mountains", 900.0, 3], ["Hills", 940.0, 3], ["Trees", 930.0, 90]]:
		var layer = _layer(t, one[0])
		if layer == null:
			continue
		layer.visible = true
		for x in [640.0, 1130.0, 2633.0, 4000.0, 4480.0]:
			_look_at(t, Vector2(x, 720))
			await t.frames(3)
			var gap = _gap(t, await t.picture(), one[1] - _view(layer).position.y)
			t.check("they fill the picture everywhere", gap <= one[2], "with the camera at %d, %s leaves %d pixels empty" % [x, one[0], gap])
		layer.visible = false


func test_the_rest(t):
	await t.open()
	var hero = t.the("CharacterBody2D")
	var order = WIDTH.keys().map(func(name): return _layer(t, name).get_index() + 1000 * _layer(t, name).z_index if _layer(t, name) != null else -1)
	order.append(t.role(["ground"], "StaticBody2D").get_index())
	var sorted = order.duplicate()
	sorted.sort()
	t.equal("the layers lie behind each other as before, and behind the ground", order, sorted)
	t.equal("the ledges are still there", t.all("StaticBody2D").size(), 7)
	var camera = t.the("Camera2D")
	t.check("the hero has his camera", camera != null and camera.get_parent() == hero and camera.limit_right == 5120, "it was moved or changed")
	t.press("ui_right")
	await t.seconds(1)
	t.near("the hero runs as before", hero.global_position, Vector2(580, 952), 12.0)
	t.release("ui_right")
	hero.global_position = Vector2(4916, 940)
	await t.physics(5)
	t.equal("the flag goes up", t.the("Area2D").get_node("Picture").texture.resource_path.get_file(), "flagGreen1.png")


func _layer(t, name):
	return t.the("Parallax2D", null, {"name": name})


# Any piece of a layer whose place can be told: a sprite where there is one.
func _piece(t, name):
	var layer = _layer(t, name)
	return layer.get_child(layer.get_child_count() - 1) if layer != null else null


# The hero, and with him the camera, stands so that this place is in the middle, as far as the limits allow.
func _look_at(t, place):
	var hero = t.the("CharacterBody2D")
	hero.set_physics_process(false)
	hero.global_position = place + Vector2(0, 120)


func _view(node):
	return node.get_viewport().get_canvas_transform().affine_inverse() * node.get_viewport().get_visible_rect()


# How far a layer is from where its scale would have it, sideways within its repetition.
func _off(t, name, scale):
	var piece = _piece(t, name)
	if piece == null:
		return Vector2.INF
	var view = _view(piece)
	var expected = piece.position - Vector2(view.position.x * scale, view.position.y)
	var off = t.place_of(piece) - expected
	return Vector2(wrapf(off.x, -WIDTH[name] / 2.0, WIDTH[name] / 2.0), off.y)


# The widest stretch of a row in which only sky is seen.
func _gap(t, picture, y):
	var widest = 0
	var run = 0
	for x in picture.get_width():
		run = run + 1 if t.distance(picture.get_pixel(x, int(y)), SKY) < 0.02 else 0
		widest = maxi(widest, run)
	return widest
