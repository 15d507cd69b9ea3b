extends RefCounted
# What the camera shows of the level: where the hero stands at the edges, in the middle, and just after he moved.


func test_the_edges(t):
	await t.open()
	var hero = t.the("CharacterBody2D")
	if not t.exists("there is one hero", hero, "none, or more than one, in the main scene"):
		return
	hero.set_physics_process(false)
	var part = _part(t)
	var seen = null
	var outside = []
	# the last two are far beyond the level
	for place in [part.position, part.end, Vector2(part.end.x, part.position.y), Vector2(part.position.x, part.end.y),
			part.position - Vector2(900, 900), part.end + Vector2(900, 900)]:
		hero.global_position = place
		await t.seconds(2.5)
		var shown = _shown(hero)
		if not part.grow(1.5).encloses(shown):
			outside.append("with the hero at %s it shows %s" % [place, shown])
		seen = shown if seen == null else seen.merge(shown)
	t.check("the picture never leaves the asked part", outside.is_empty(), "; ".join(outside))
	t.near("the picture reaches all edges of the asked part", seen, part, 1.5)


func test_the_middle(t):
	await t.open()
	var hero = t.the("CharacterBody2D")
	hero.set_physics_process(false)
	hero.global_position = _part(t).get_center()
	await t.seconds(2.5)
	var shown = _shown(hero)
	t.near("everything is drawn as large as asked", 1280.0 / shown.size.x, t.parameter("zoom"), 0.01)
	t.near("the hero stands in the middle away from the edges", t.place_of(hero), Vector2(640, 360), 4.0)
	hero.global_position.x += 200.0
	await t.frames(15)
	var behind = (hero.global_position.x - _shown(hero).get_center().x) / 200.0
	# each frame the camera makes up for speed/60 of what it lags behind
	t.near("the camera follows at the asked pace", behind, pow(1.0 - t.parameter("speed") / 60.0, 15), 0.05)
	await t.seconds(2.5)
	t.near("the camera catches up with the hero", t.place_of(hero), Vector2(640, 360), 4.0)


func test_the_rest(t):
	await t.open()
	var hero = t.the("CharacterBody2D")
	t.near("the hero starts where he started", hero.global_position, Vector2(160, 1280), 3.0)
	t.check("the camera belongs to the hero", t.all("Camera2D").size() == 1 and t.all("Camera2D", hero).size() == 1,
			"%d cameras in the scene, %d below the hero" % [t.all("Camera2D").size(), t.all("Camera2D", hero).size()])
	t.near("he is as large as he was", hero.global_scale, Vector2.ONE, 0.001)
	t.equal("platforms and floor are still there", t.all("StaticBody2D").size(), 7)
	t.press("ui_right")
	await t.seconds(1)
	t.near("he walks as he walked", hero.global_position.x, 480.0, 12.0)


func _part(t):
	var corner = Vector2(t.parameter("left"), t.parameter("top"))
	return Rect2(corner, Vector2(t.parameter("right"), t.parameter("bottom")) - corner)


func _shown(node):
	return node.get_viewport().get_canvas_transform().affine_inverse() * node.get_viewport().get_visible_rect()
