extends RefCounted
# The guard's four states: when each begins and ends, what the guard does in it, and what it tells.
# The thief is held where the test puts her. Guard1's first way leads east along y = 240.

const AWAY = Vector2(652, 680)


func test_patrol(t):
	var guard = await _guard(t)
	var changes = t.watch(guard, "state_changed")
	if not t.check("the guard has its state and signal", guard.get("state") is String and changes != null,
			"the property state (a text) or the signal state_changed is missing"):
		return
	t.equal("it begins on patrol", guard.state, "patrol")
	var begin = guard.global_position
	await t.seconds(1.0)
	t.near("on patrol it walks as before", guard.global_position - begin, Vector2(90, 0), 3.0)
	await _hold(t, guard, t.parameter("hear") + 12.0, 0.3)
	t.equal("a thief out of hearing changes nothing", [guard.state, changes.count], ["patrol", 0])
	t.equal("on patrol there is no mark", _mark(guard), "")


func test_suspicious(t):
	var guard = await _guard(t)
	var changes = t.watch(guard, "state_changed")
	await t.seconds(0.5)
	await _hold(t, guard, t.parameter("hear") - 8.0, 0.1)
	if not t.equal("a thief in hearing makes it suspicious", guard.get("state"), "suspicious"):
		return
	t.equal("then the mark is a question mark", _mark(guard), "?")
	var place = guard.global_position
	var heard = await _timed(t, guard, "suspicious", t.parameter("hear") - 8.0, 3.0)
	t.near("while suspicious it stands still", heard.path[heard.path.size() / 2], place, 1.0)
	t.near("it begins to chase after the asked time", heard.seconds + 0.1, t.parameter("notice"), 0.07)
	t.equal("what follows is the chase", guard.state, "chase")
	t.equal("then the mark is an exclamation mark", _mark(guard), "!")
	t.equal("each change is told once", changes.emissions if changes != null else [], [["suspicious"], ["chase"]])


func test_hearing_with_a_break(t):
	var guard = await _guard(t)
	await t.seconds(0.5)
	await _hold(t, guard, t.parameter("hear") - 8.0, t.parameter("notice") * 0.7)
	await _hold(t, guard, t.parameter("hear") + 15.0, 0.1)
	await _hold(t, guard, t.parameter("hear") - 8.0, t.parameter("notice") * 0.7)
	t.equal("only hearing without a break leads to a chase", guard.get("state"), "suspicious")
	await _hold(t, guard, t.parameter("hear") - 8.0, t.parameter("notice") * 0.3 + 0.08)
	t.equal("hearing her long enough after a break does", guard.get("state"), "chase")


func test_false_alarm(t):
	var guard = await _guard(t)
	await t.seconds(0.5)
	await _hold(t, guard, t.parameter("hear") - 8.0, 0.1)
	var quiet = await _timed(t, guard, "suspicious", t.parameter("hear") + 15.0, 4.0)
	t.near("without a sound it calms down after the asked time", quiet.seconds, t.parameter("forget"), 0.07)
	t.check("what follows is the way back", guard.get("state") in ["return", "patrol"], "the state is %s" % guard.get("state"))
	_thief(t).global_position = AWAY
	await t.seconds(0.2)
	t.equal("then the mark is gone", [_mark(guard), guard.get("state")], ["", "patrol"])


func test_chase(t):
	var guard = await _chasing(t)
	var begin = guard.global_position
	_thief(t).global_position = begin + Vector2(90, 180)
	await t.seconds(0.5)
	var run = guard.global_position - begin
	t.near("it chases with the asked speed", run.length() / 0.5, t.parameter("speed"), 6.0)
	t.check("it runs straight at the thief", run.normalized().dot(Vector2(90, 180).normalized()) > 0.995, "it ran %s towards (90, 180)" % run)
	var between = (t.parameter("hear") + t.parameter("lose")) / 2.0
	await _hold(t, guard, between, t.parameter("forget") + 0.4)
	t.equal("it goes on chasing up to the larger distance", guard.get("state"), "chase")
	await _hold(t, guard, t.parameter("lose") + 15.0, t.parameter("forget") * 0.7)
	await _hold(t, guard, between, 0.1)
	await _hold(t, guard, t.parameter("lose") + 15.0, t.parameter("forget") * 0.7)
	t.equal("only distance without a break ends a chase", guard.get("state"), "chase")
	await _hold(t, guard, between, 0.1)
	var far = await _timed(t, guard, "chase", t.parameter("lose") + 15.0, 4.0)
	t.near("it gives up after the asked time", far.seconds, t.parameter("forget"), 0.07)
	t.equal("after the chase it returns", [guard.get("state"), _mark(guard)], ["return", ""])


func test_return(t):
	var guard = await _guard(t)
	var changes = t.watch(guard, "state_changed")
	await t.seconds(0.5)
	var left = guard.global_position
	await _lure(t, guard, left + Vector2(0, 210))
	_thief(t).global_position = AWAY + Vector2(500, 0)
	if not t.check("it gives up and returns", await t.until(func(): return guard.get("state") == "return", 4.0), "the state is %s" % guard.get("state")):
		return
	var begin = guard.global_position
	await t.seconds(0.5)
	var way = guard.global_position - begin
	t.near("it returns with the speed of its patrol", way.length() / 0.5, 90.0, 4.0)
	t.check("it returns straight", way.normalized().dot((left - begin).normalized()) > 0.99, "it went %s, the place is %s away" % [way, left - begin])
	await t.until(func(): return guard.state == "patrol", 8.0)
	t.near("it returns to the place where it left its route", guard.global_position, left, 6.0)
	begin = guard.global_position
	await t.seconds(0.5)
	t.near("it walks on to the same point of its route", guard.global_position - begin, Vector2(45, 0), 4.0)
	t.equal("all four states were told in order", changes.emissions, [["suspicious"], ["chase"], ["return"], ["patrol"]])


func test_second_alarm(t):
	var guard = await _guard(t)
	await t.seconds(0.5)
	var left = guard.global_position
	await _lure(t, guard, left + Vector2(0, 240))
	_thief(t).global_position = AWAY + Vector2(500, 0)
	await t.until(func(): return guard.get("state") == "return", 4.0)
	await t.seconds(0.4)
	var changes = t.watch(guard, "state_changed")
	await _hold(t, guard, t.parameter("hear") - 8.0, 0.1)
	t.equal("it hears the thief on its way back", changes.emissions if changes != null else [], [["suspicious"]])
	var there = guard.global_position
	_thief(t).global_position = AWAY + Vector2(500, 0)
	await t.until(func(): return guard.get("state") == "patrol", t.parameter("forget") + 8.0)
	t.check("after a second alarm it still returns to the first place", guard.global_position.distance_to(left) < 6.0,
			"it went on patrol at %s; it left its route at %s and was alarmed again at %s" % [guard.global_position, left, there])


func test_properties(t):
	var guard = await _guard(t)
	var names = ["hear_distance", "lose_distance", "notice_time", "forget_time", "chase_speed"]
	t.equal("the properties have the asked values", names.map(func(name): return guard.get(name)),
			[t.parameter("hear"), t.parameter("lose"), t.parameter("notice"), t.parameter("forget"), t.parameter("speed")])
	var exported = guard.get_property_list().filter(func(one): return one.name in names and one.usage & PROPERTY_USAGE_EDITOR)
	t.equal("they are exported", exported.size(), 5)
	guard.set("hear_distance", 100.0)
	await _hold(t, guard, 112.0, 0.3)
	var deaf = guard.get("state")
	await _hold(t, guard, 92.0, 0.1)
	t.equal("another hearing distance is kept to", [deaf, guard.get("state")], ["patrol", "suspicious"])
	guard.set("notice_time", 1.6)
	var heard = await _timed(t, guard, "suspicious", 92.0, 4.0)
	guard.set("lose_distance", 150.0)
	guard.set("forget_time", 0.4)
	var far = await _timed(t, guard, "chase", 165.0, 4.0)
	t.near("other times are kept to", Vector2(heard.seconds + 0.1, far.seconds), Vector2(1.6, 0.4), 0.08)
	var other = t.all("CharacterBody2D", null, {"group": "guards"})[1]
	t.equal("the other guard has its own values and state", [other.get("hear_distance"), other.get("state")], [t.parameter("hear"), "patrol"])


func test_the_rest(t):
	var guard = await _guard(t)
	var main = guard.get_parent()
	var caught = t.watch(guard, "caught")
	_thief(t).global_position = guard.global_position + Vector2(10, 0)
	await t.physics(4)
	t.equal("whoever is touched is caught", [caught.count, main.times_caught], [1, 1])
	t.near("the thief is put back to the gate", _thief(t).global_position, AWAY, 2.0)
	_thief(t).set_physics_process(true)
	t.press("move_left")
	await t.seconds(0.5)
	t.release("move_left")
	t.between("the thief walks as before", AWAY.x - _thief(t).global_position.x, 100.0, 120.0)
	var guards = t.all("CharacterBody2D", null, {"group": "guards"})
	t.equal("there are two guards with their routes and speeds", guards.map(func(one): return [one.route.size(), one.patrol_speed]), [[4, 90.0], [4, 70.0]])
	var begin = guards[1].global_position
	await t.seconds(1.0)
	t.near("the other guard walks as before", guards[1].global_position - begin, Vector2(-70, 0), 3.0)


# --- the garden ---

func _guard(t):
	await t.open()
	_thief(t).set_physics_process(false)
	await t.physics(5)
	return t.all("CharacterBody2D", null, {"group": "guards"})[0]


func _thief(t):
	return t.the("CharacterBody2D", null, {"group": "thief"})


func _mark(guard):
	return guard.get_node("Mark").text


# Keeps the thief so far above the guard, where the other one does not hear her.
func _hold(t, guard, distance, seconds):
	for step in roundi(seconds * 60.0):
		_thief(t).global_position = guard.global_position + Vector2(-0.6, -0.8) * distance
		await t.physics(1)


# The same until the guard leaves a state: how long it took, and where the guard was.
func _timed(t, guard, state, distance, at_most):
	var path = []
	while guard.get("state") == state and path.size() < at_most * 60.0:
		path.append(guard.global_position)
		await _hold(t, guard, distance, 1.0 / 60.0)
	if path.is_empty():
		path.append(guard.global_position)
	return {"seconds": path.size() / 60.0, "path": path}


func _chasing(t):
	var guard = await _guard(t)
	await t.seconds(0.5)
	await _hold(t, guard, t.parameter("hear") - 8.0, t.parameter("notice") + 0.15)
	return guard


# Lets the guard chase her until it stands near a place.
func _lure(t, guard, place):
	for step in 400:
		var way = place - guard.global_position
		if guard.get("state") == "chase" and way.length() < 30.0:
			return
		_thief(t).global_position = guard.global_position + way.limit_length(120.0).normalized() * 120.0
		await t.physics(1)
