extends RefCounted
# The picture with and without dusk, and with and without the lights, must differ by just what was asked.

const PLACES = [150.0, 480.0, 810.0, 1140.0]
const GLOW = "res://lights/glow.tres"


func test_the_dusk(t):
	await t.open()
	var found = t.all("CanvasModulate")
	if not t.equal("the lane has one CanvasModulate", found.size(), 1):
		return
	t.near("it has the asked colour", found[0].color, Color(t.parameter("dusk")), 0.01)
	_show(t, "PointLight2D", false)
	var evening = await _drawn(t)
	_show(t, "CanvasModulate", false)
	var day = await _drawn(t)
	# sky, roof, wall, street
	for place in [Vector2i(900, 60), Vector2i(650, 200), Vector2i(700, 400), Vector2i(640, 680)]:
		t.near("everything in the lane becomes darker as asked", evening.get_pixelv(place), day.get_pixelv(place) * Color(t.parameter("dusk")), 0.02)
	var white = t.share(evening, Rect2(28, 20, 320, 40), Color.WHITE, 0.02)
	t.between("the count at the top stays bright", white, 0.05, 1.0)


func test_the_lights(t):
	await t.open()
	for x in PLACES:
		var lantern = _lantern_at(t, x)
		if not t.exists("the lanterns are where they were", lantern, "no lantern at x %d" % x):
			return
		_check_the_light(t, lantern)


func test_what_is_seen(t):
	await t.open()
	var lit = await _drawn(t)
	_show(t, "PointLight2D", false)
	_show(t, "CanvasModulate", false)
	var day = await _drawn(t)
	var glow = t.resource(GLOW).get_image()
	for x in PLACES:
		for way in [Vector2(-40, -10), Vector2(60, -40)]:
			var place = Vector2i(Vector2(x, 348) + way)
			var strength = glow.get_pixelv(Vector2i(Vector2(128, 128) + way / t.parameter("size"))).a
			var light = Color(t.parameter("dusk")) + Color(t.parameter("colour")) * t.parameter("energy") * strength
			var expected = day.get_pixelv(place) * light
			t.near("the light is seen around every lantern", lit.get_pixelv(place), expected.clamp(Color.BLACK, Color.WHITE), 0.06)


func test_another_lantern(t):
	await t.open()
	var lantern = t.still("res://scenes/lantern.tscn")
	if not t.exists("the lantern's scene can be opened", lantern, "res://scenes/lantern.tscn cannot be instanced"):
		return
	t.the("CharacterBody2D").get_parent().add_child(lantern)
	lantern.position = Vector2(640, 592)
	await t.frames(2)
	t.equal("a lantern that is added later shines too", t.all("PointLight2D", lantern).size(), 1)


func test_the_rest(t):
	await t.open()
	t.equal("there are four lanterns", t.all("Area2D").size(), 4)
	var glow = t.resource(GLOW)
	t.check("the texture of the glow is as it was", t.is_a(glow, "GradientTexture2D") and glow.fill == GradientTexture2D.FILL_RADIAL
			and glow.get_size() == Vector2(256, 256), "glow.tres was changed")
	t.press("ui_right")
	await t.seconds(1)
	t.release("ui_right")
	t.near("the watchman walks as before", t.the("CharacterBody2D").global_position, Vector2(550, 592), 12.0)
	t.equal("the lantern that he passed is counted", t.the("Label").text, "Lanterns checked: 1 / 4")


func _check_the_light(t, lantern):
	var lights = t.all("PointLight2D", lantern)
	if not t.equal("every lantern has one light", lights.size(), 1):
		return
	var light = lights[0]
	t.near("the light is at the flame", light.global_position, lantern.global_position + Vector2(0, -244), 2.0)
	t.equal("it has the texture of the glow", light.texture.resource_path if light.texture != null else "none", GLOW)
	t.near("it has the asked light colour", light.color, Color(t.parameter("colour")), 0.01)
	t.near("it has the asked energy", light.energy, t.parameter("energy"), 0.01)
	t.near("it is as large as asked", light.texture_scale * light.global_scale.x, t.parameter("size"), 0.01)
	t.check("it is switched on", light.enabled and light.is_visible_in_tree(), "it is disabled or hidden")


func _lantern_at(t, x):
	return t.the("Area2D", null, func(one): return one.global_position.distance_to(Vector2(x, 592)) < 2.0)


func _show(t, type, shown):
	for node in t.all(type):
		node.visible = shown


func _drawn(t):
	await t.frames(3)
	return await t.picture()
