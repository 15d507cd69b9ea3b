extends RefCounted
# Parameters: ticks of physics in a second, and whether events are accumulated.

const POLLED = ["just", "held", "strength"]
const WAITS = ["none", "a frame", "some frames", "a tick", "some ticks", "a time", "a condition"]
const LOOPS = ["process", "physics"]


func test_presses(t):
	for wait in WAITS:
		var probe = await _probe(t, wait)
		await t.tap("jump")
		t.equal("a tap is seen once in every way", probe.seen, _action("jump"))
	for wait in WAITS:
		var probe = await _probe(t, wait)
		await t.tap("jump", 0)
		t.equal("a tap that is not held is seen once in every way", probe.seen, _action("jump"))
	for wait in WAITS:
		var probe = await _probe(t, wait)
		t.press("jump")
		await t.physics(1)
		t.equal("a press is seen after one tick", _only(probe.seen, "pressed"), _only(_action("jump"), "pressed"))
		t.equal("and no release", _only(probe.seen, "released"), {})
		t.release("jump")
		await t.physics(1)
		t.equal("a release is seen after one tick", probe.seen, _action("jump"))
	for wait in WAITS:
		var probe = await _probe(t, wait)
		t.press("jump")
		t.release("jump")
		await t.seconds(0.5)
		t.equal("press and release at once are seen once", probe.seen, _action("jump"))
	for wait in WAITS:
		var probe = await _probe(t, wait)
		for index in 3:
			t.press("jump")
			t.release("jump")
		await t.seconds(1.5)
		t.equal("three times at once are seen three times", probe.seen, _times(_action("jump"), 3))
	for wait in WAITS:
		var probe = await _probe(t, wait)
		for index in 3:
			await t.tap("jump")
		t.equal("three taps are seen three times", probe.seen, _times(_action("jump"), 3))


func test_nothing_happens_before_the_next_frame(t):
	var probe = await t.open("res://probe.tscn")
	t.press("jump")
	t.check("a press is not there at once", not t.engine("Input").is_action_pressed("jump") and probe.seen.is_empty())
	await t.frames(1)
	t.check("the next frame has it", t.engine("Input").is_action_pressed("jump") and probe.seen.has("process just jump pressed"))


func test_what_is_bound_is_pressed(t):
	for wait in WAITS:
		var probe = await _probe(t, wait)
		await t.tap("fire")
		t.equal("an action is pressed by its key", probe.seen, _key_fire())
	for wait in WAITS:
		var probe = await _probe(t, wait)
		await t.key(KEY_F)
		t.equal("a key is seen once in every way", probe.seen, _key_fire())
	for wait in WAITS:
		var probe = await _probe(t, wait)
		await t.tap("throw")
		t.equal("an action is pressed by its button of the mouse", probe.seen, _mouse_throw(["unhandled"]))


func test_clicks(t):
	for wait in WAITS:
		var probe = await _probe(t, wait)
		await t.click(Vector2(600, 500))
		t.equal("a click is seen once in every way", probe.seen, _mouse_throw(["unhandled"]))
	for wait in WAITS:
		var probe = await _probe(t, wait)
		await t.click(Vector2(110, 110))
		t.equal("a click at a button presses it once", probe.seen, _mouse_throw(["gui"], ["button"]))
	for wait in WAITS:
		var probe = await _probe(t, wait)
		await t.click_on(probe.get_node("Bell"))
		t.equal("a click on a button presses it once", probe.seen, _mouse_throw(["gui"], ["button"]))


func test_what_is_held_stays_so(t):
	var probe = await t.open("res://probe.tscn")
	t.press("fire")
	t.press("fire")
	await t.seconds(0.5)
	t.check("it is held", t.engine("Input").is_action_pressed("fire"))
	t.equal("a second press of it is none", _only(probe.seen, "pressed"), _only(_key_fire(), "pressed"))
	t.press("jump")
	await t.physics(1)
	t.check("two at a time", t.engine("Input").is_action_pressed("fire") and t.engine("Input").is_action_pressed("jump"))
	t.release("fire")
	await t.physics(1)
	t.check("one of them is let go", not t.engine("Input").is_action_pressed("fire") and t.engine("Input").is_action_pressed("jump"))


func test_then_all_is_let_go(t):
	var probe = await t.open("res://probe.tscn")
	await t.frames(2)
	t.equal("nothing is left of the test before", probe.seen, {})


# After each of the waits: the game may be anywhere between two ticks.
func _probe(t, wait):
	t.engine("Engine").physics_ticks_per_second = t.parameter("ticks")
	t.engine("Input").use_accumulated_input = t.parameter("accumulates")
	var probe = await t.open("res://probe.tscn")
	match wait:
		"a frame": await t.frames(1)
		"some frames": await t.frames(4)
		"a tick": await t.physics(1)
		"some ticks": await t.physics(3)
		"a time": await t.seconds(0.2)
		"a condition": await t.until(func(): return t.frame() % 5 == 0, 1.0)
	return probe


func _action(action):
	var all = {}
	for loop in LOOPS:
		for what in POLLED:
			_add(all, "%s %s %s" % [loop, what, action])
	for way in ["input", "unhandled"]:
		_add(all, "%s %s" % [way, action])
	return all


func _key_fire():
	var all = _action("fire")
	_add(all, "unhandled key fire")
	for loop in LOOPS:
		_add(all, loop + " key F")
		_add(all, loop + " physical key F")
	return all


func _mouse_throw(ways, more = []):
	var all = {}
	for loop in LOOPS:
		for what in POLLED:
			_add(all, "%s %s throw" % [loop, what])
		_add(all, loop + " mouse")
	for way in ["input"] + ways:
		_add(all, way + " throw")
	for line in more:
		_add(all, line)
		all["click pressed"] = 1
	return all


func _add(all, way):
	all[way + " pressed"] = 1
	all[way + " released"] = 1


func _only(all, what):
	var some = {}
	for line in all:
		if line.ends_with(what):
			some[line] = all[line]
	return some


func _times(all, count):
	for line in all:
		all[line] *= count
	return all
