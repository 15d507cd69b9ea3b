extends RefCounted
# The hero walks into gems; from the touch on their pictures are followed frame by frame until they are gone.


func test_a_gem_is_touched(t):
	await t.open()
	var gem = _gem_at(t, Vector2(420, 530))
	if not t.exists("the first gem lies where it lay", gem, "no gem at (420, 530)"):
		return
	t.near("it does not move before it is touched", gem.global_position, Vector2(420, 530), 1.0)
	t.near("it is fully visible before it is touched", _alpha(t, _picture(t, gem)), 1.0, 0.01)
	var reports = t.watch(gem, "collected")
	var hero = t.the("CharacterBody2D")
	t.press("ui_right")
	await t.until(func(): return reports.count > 0 or hero.global_position.x > 390.0, 2.0)
	t.release("ui_right")
	await t.physics(1)
	t.equal("the value is reported at once", reports.emissions, [[1]])
	if not t.exists("it is still there after the touch", gem, "it is freed at once"):
		return
	var seen = await _follow(t, gem)
	_check_the_way(t, seen, Vector2(420, 530))
	t.equal("it is reported only once", reports.count, 1)


func _check_the_way(t, seen, from):
	var time = t.parameter("seconds")
	var rise = t.parameter("rise")
	t.near("it is freed when the time is over", seen.size() / 60.0, time, 0.12)
	var half = seen[seen.size() / 2] if not seen.is_empty() else {"place": Vector2.ZERO, "alpha": -1.0}
	var last = seen[-1] if not seen.is_empty() else {"place": Vector2.ZERO, "alpha": -1.0}
	# the last frame that can be seen is one before the end: a steep easing has a fifth of its way left there
	t.near("it floats straight up to the asked height", last.place, from - Vector2(0, rise), rise * 0.2)
	t.between("it fades out completely", last.alpha, -0.01, 0.2)
	t.between("it fades while it rises", half.alpha, 0.001, 0.999)
	t.between("it rises while it fades", from.y - half.place.y, rise * 0.001, rise * 0.999)
	var jump = 0.0
	var flash = 0.0
	var before = {"place": from, "alpha": 1.0}
	for now in seen:
		jump = maxf(jump, now.place.distance_to(before.place))
		flash = maxf(flash, absf(now.alpha - before.alpha))
		before = now
	t.between("it moves without jumps", jump, 0.0, rise * 0.35)
	t.between("it fades without jumps", flash, 0.0, 0.35)


func test_another_gem(t):
	await t.open()
	var gem = _gem_at(t, Vector2(1030, 300))
	var rest = t.all("Area2D").filter(func(one): return one != gem)
	var places = rest.map(func(one): return one.global_position)
	var reports = t.watch(gem, "collected")
	var hero = t.the("CharacterBody2D")
	hero.global_position = Vector2(1030, 330)
	await t.until(func(): return reports.count > 0, 0.5)
	var seen = await _follow(t, gem)
	t.equal("another gem reports its own value", reports.emissions, [[3]])
	var end = seen[-1].place if not seen.is_empty() else Vector2.ZERO
	t.near("another gem floats from its own place", end, Vector2(1030, 300 - t.parameter("rise")), t.parameter("rise") * 0.2)
	var still = range(rest.size()).all(func(n): return _is_untouched(t, rest[n], places[n]))
	t.check("gems that nobody touched stay as they are", still, "one moved or faded")
	t.equal("the score counts the gem", t.the("Label").text, "Gems: 3")


func test_touched_again(t):
	await t.open()
	var gem = _gem_at(t, Vector2(680, 530))
	var reports = t.watch(gem, "collected")
	var hero = t.the("CharacterBody2D")
	hero.set_physics_process(false)
	for time in 2:
		hero.global_position = gem.global_position + Vector2(0, 48) if t.alive(gem) else Vector2.ZERO
		await t.physics(5)
		hero.global_position = Vector2(220, 400)
		await t.physics(5)
	t.check("a floating gem is there to be touched again", t.alive(gem), "it is already freed")
	t.equal("a floating gem cannot be picked up again", reports.count, 1)
	t.equal("the score counts it once", t.the("Label").text, "Gems: 5")


func _gem_at(t, place):
	return t.the("Area2D", null, func(one): return one.global_position.distance_to(place) < 4.0)


func _picture(t, gem):
	return t.all("Sprite2D", gem)[0]


func _is_untouched(t, gem, place):
	return t.alive(gem) and gem.global_position == place and _alpha(t, _picture(t, gem)) > 0.99


# Place and transparency of the gem's picture in each frame until the gem is freed or four seconds are over.
func _follow(t, gem):
	var seen = []
	while t.alive(gem) and not gem.is_queued_for_deletion() and seen.size() < 240:
		var picture = _picture(t, gem)
		seen.append({"place": picture.global_position, "alpha": _alpha(t, picture)})
		await t.physics(1)
	return seen


func _alpha(t, item):
	var alpha = item.self_modulate.a if item.is_visible_in_tree() else 0.0
	var above = item
	while t.is_a(above, "CanvasItem"):
		alpha *= above.modulate.a
		above = above.get_parent()
	return alpha
