extends RefCounted
# The hero's health changes in every way there is; each time the row of hearts is read from left to right.


func test_at_the_start(t):
	await t.open()
	var hero = _hero(t)
	if not t.exists("the hero is there", hero, "no CharacterBody2D with the signal health_changed in the main scene"):
		return
	await t.frames(2)
	t.check("the row is right from the start", _shows(t, 9, 12), _compared(t, 9, 12))
	t.check("the hearts are instances of the heart's scene", not _hearts(t).is_empty() and _hearts(t).all(
			func(heart): return heart.scene_file_path == "res://scenes/heart.tscn"),
			"there are %d hearts, or some are not made from heart.tscn" % _hearts(t).size())
	var places = _hearts(t).map(func(heart): return heart.get_global_rect())
	var apart = range(1, places.size()).all(func(n): return places[n].position.x >= places[n - 1].end.x)
	t.check("the hearts stand in a row in the picture", not places.is_empty() and apart
			and _hearts(t).all(func(heart): return t.sees(heart)), "their places are %s" % [places])


func test_the_health_changes(t):
	await t.open()
	var hero = _hero(t)
	hero.hurt(2)
	await t.frames(3)
	t.check("a part of a heart is shown", _shows(t, 7, 12), _compared(t, 7, 12))
	hero.hurt(20)
	await t.frames(3)
	t.check("without health all hearts are empty", _shows(t, 0, 12), _compared(t, 0, 12))
	hero.heal(5)
	await t.frames(3)
	t.check("healing fills the hearts from the left", _shows(t, 5, 12), _compared(t, 5, 12))
	hero.heal(20)
	await t.frames(3)
	t.check("with full health all hearts are full", _shows(t, 12, 12), _compared(t, 12, 12))


func test_the_greatest_health_changes(t):
	await t.open()
	var hero = _hero(t)
	hero.grow(8)
	await t.frames(3)
	t.check("the row grows with the greatest health", _shows(t, 9, 20), _compared(t, 9, 20))
	hero.grow(-12)
	await t.frames(3)
	t.check("the row shrinks with the greatest health", _shows(t, 8, 8), _compared(t, 8, 8))


func test_the_signal(t):
	await t.open()
	var hero = _hero(t)
	hero.emit_signal("health_changed", 3, 16)
	await t.frames(3)
	t.check("the numbers of the signal are shown", _shows(t, 3, 16), _compared(t, 3, 16))
	await t.seconds(0.5)
	t.check("nothing else changes the row", _shows(t, 3, 16), _compared(t, 3, 16))


func test_a_walk_through_the_crypt(t):
	await t.open()
	var hero = _hero(t)
	var reports = t.watch(hero, "health_changed")
	t.press("ui_right")
	await t.until(func(): return hero.global_position.x > 1020.0, 4.0)
	t.release("ui_right")
	await t.physics(5)
	t.equal("spikes, mushroom and star work as before", reports.emissions, [[6, 12], [8, 12], [8, 16]])
	t.check("the row shows what the walk has left", _shows(t, 8, 16), _compared(t, 8, 16))
	var heart = t.still("res://scenes/heart.tscn")
	t.check("the heart's scene is as it was", t.is_a(heart, "TextureProgressBar") and heart.min_value == 0.0 and heart.max_value == 1.0
			and heart.step == 0.0 and heart.texture_progress != null, "heart.tscn has other values than before")


func _hero(t):
	return t.the("CharacterBody2D", null, {"signal": "health_changed"})


# All hearts of the scene that can be seen, from left to right.
func _hearts(t):
	var found = t.all("TextureProgressBar", null, func(bar): return bar.is_visible_in_tree() and not bar.is_queued_for_deletion())
	found.sort_custom(func(one, other): return one.global_position.x < other.global_position.x)
	return found


func _expected(t, health, max_health):
	var points = int(t.parameter("points"))
	return range(max_health / points).map(func(n): return clampf((health - n * points) / float(points), 0.0, 1.0))


func _values(t):
	return _hearts(t).map(func(heart): return snappedf(heart.value, 0.001))


func _shows(t, health, max_health):
	var values = _values(t)
	var expected = _expected(t, health, max_health)
	return values.size() == expected.size() and range(values.size()).all(func(n): return absf(values[n] - expected[n]) < 0.01)


func _compared(t, health, max_health):
	return "for %d of %d points the hearts show %s, expected %s" % [health, max_health, _values(t), _expected(t, health, max_health)]
