extends RefCounted
# The flame hurts only in its part of the swing, the hero recovers when asked, and both follow the animation.

const FRAME := 1.0 / 60.0


func test_at_rest(t):
	var hero = await _hero(t)
	var box = t.the("Area2D", hero)
	if not t.exists("the hero has one hitbox", box, "no Area2D below the hero, or more than one"):
		return
	t.check("the hitbox starts inactive", not _active(t, box), "the shape is enabled although no swing was played")
	var bee = _bees(t)[0]
	bee.global_position = box.global_position
	await t.physics(20)
	t.equal("at rest the flame scares no bee", bee.times_scared, 0)


func test_the_window(t):
	var hero = await _hero(t)
	var swing = await _watched_swing(t, hero, 1.0)
	t.check("the hitbox is active in the asked time only", _within(swing.active, t.parameter("on"), t.parameter("off"), 1.0),
			"active %s, expected %s to %s s" % [_shown(swing.active), t.parameter("on"), t.parameter("off")])
	t.near("the hero is ready again at the asked time", swing.ready, t.parameter("recover"), 0.05)
	t.check("the hitbox ends inactive", not _active(t, t.the("Area2D", hero)), "the shape is still enabled after the swing")


func test_slow_motion(t):
	var hero = await _hero(t)
	var swing = await _watched_swing(t, hero, 0.5)
	t.check("the hitbox follows the animation's speed", _within(swing.active, t.parameter("on"), t.parameter("off"), 2.0),
			"at half the speed active %s, expected twice %s to %s s" % [_shown(swing.active), t.parameter("on"), t.parameter("off")])
	t.near("the recovery follows the animation's speed", swing.ready, 2.0 * t.parameter("recover"), 0.08)


func test_bees(t):
	var hero = await _hero(t)
	var box = t.the("Area2D", hero)
	var path = (await _watched_swing(t, hero, 1.0)).path
	await t.seconds(0.3)
	var bees = _bees(t)
	bees[0].global_position = path[int((t.parameter("on") + t.parameter("off")) / 2.0 * 60.0)]
	bees[1].global_position = Vector2(1100, 200)
	await t.physics(2)
	await _attack(t)
	await t.seconds(1.0)
	t.equal("a bee in the way of the swing is scared once", bees[0].times_scared, 1)
	bees[1].global_position = box.global_position
	await t.physics(20)
	t.equal("after the swing the flame scares no bee", bees[1].times_scared, 0)


func test_again(t):
	var hero = await _hero(t)
	var swung = t.watch(hero, "swung")
	await _attack(t)
	await t.seconds(t.parameter("recover") - 0.2)
	await _attack(t)
	t.equal("an attack before the recovery does nothing", swung.count, 1)
	await t.seconds(0.2)
	await _attack(t)
	t.equal("a second swing is possible", swung.count, 2)
	await t.seconds(1.0)
	await _attack(t)
	t.equal("and a third one", swung.count, 3)


func test_the_rest(t):
	var hero = await _hero(t)
	var player = t.the("AnimationPlayer", hero)
	var swing = t.animation(player, "swing")
	if not t.exists("the animation swing is there", swing, "the hero's AnimationPlayer has no animation named swing"):
		return
	t.near("it is as long as before", swing.length, 0.8, 0.001)
	var arm = t.the("Area2D", hero).get_parent()
	await _attack(t)
	var turns = []
	for step in 40:
		await t.physics(1)
		turns.append(arm.rotation)
	t.check("the arm moves as before", absf(turns.min() + 1.3) < 0.15 and absf(turns.max() - 1.5) < 0.15
			and absf(turns.find(turns.max()) + 3 - 30) <= 3 and absf(turns.find(turns.min()) + 3 - 9) <= 3,
			"it turns from %s (frame %d) to %s (frame %d)" % [turns.min(), turns.find(turns.min()), turns.max(), turns.find(turns.max())])
	t.near("the hero stands where he stood", hero.global_position, Vector2(560, 528), 4.0)
	t.equal("two bees are there", _bees(t).size(), 2)


func _hero(t):
	await t.open()
	await t.physics(10)
	return t.the("CharacterBody2D", null, {"method": "ready_again"})


func _bees(t):
	return t.all("AnimatableBody2D", null, {"group": "bees"})


func _active(t, box):
	return box.monitoring and box.get_children().any(func(node): return t.is_a(node, "CollisionShape2D") and not node.disabled)


func _attack(t):
	t.press("attack")
	await t.physics(1)
	t.release("attack")
	await t.physics(1)


# Plays one swing at a speed; when the hitbox was active (every time in s), when the hero was ready, where the flame was.
func _watched_swing(t, hero, speed):
	var box = t.the("Area2D", hero)
	t.the("AnimationPlayer", hero).speed_scale = speed
	var seen = {"active": [], "ready": -1.0, "path": []}
	await t.physics(1)
	t.press("attack")
	for step in int(70 / speed):
		await t.physics(1)
		if step == 0:
			t.release("attack")
		if _active(t, box):
			seen.active.append(step * FRAME)
		if seen.ready < 0.0 and hero.can_swing:
			seen.ready = step * FRAME
		seen.path.append(box.global_position)
	return seen


func _within(active, on, off, stretch):
	if active.is_empty():
		return false
	var whole = active.size() * FRAME
	return (absf(active[0] - on * stretch) < 0.05 and absf(active[-1] - off * stretch) < 0.05
			and absf(whole - (off - on) * stretch) < 0.06)


func _shown(active):
	return "never" if active.is_empty() else "from %.2f to %.2f s" % [active[0], active[-1]]
