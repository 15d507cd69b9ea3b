extends RefCounted
# The lamp finds the nearest intruder that no wall hides, turns to it within its limits, and tells locks and losses.
# The yard's own intruders are taken away first, so that every place is known.

const IN_FRONT = Vector3(0, 0.9, -8)


func test_idle(t):
	var tower = await _empty_yard(t)
	if not t.exists("the tower has its turntable and lamp", tower, "Tower/Turntable/Lamp/Beam is not there any more"):
		return
	var before = tower.turntable.rotation_degrees.y
	await t.seconds(1.0)
	t.near("without a target it turns as before", wrapf(tower.turntable.rotation_degrees.y - before, -180, 180), 20.0, 1.0)
	t.near("without a target it keeps its rest tilt", tower.lamp.rotation_degrees.x, -25.0, 0.5)
	t.equal("without a target it is not locked", tower.get("locked"), false)
	t.near("without a target the beam is calm", tower.beam.light_color, Color(1, 0.93, 0.75), 0.01)


func test_following(t):
	var tower = await _empty_yard(t)
	await _face(t, tower, 90.0)
	var locks = t.watch(tower, "target_locked")
	var losses = t.watch(tower, "target_lost")
	if not t.check("it has the asked signals", locks != null and losses != null, "target_locked or target_lost is missing"):
		return
	var intruder = _intruder(t, tower, IN_FRONT)
	var seen = await _turning(t, tower, 0.4)
	t.check("it turns no faster than allowed", seen.fastest <= t.parameter("turn_speed") * 1.03 + 0.5,
			"it turned at %.0f degrees per second" % seen.fastest)
	t.check("it turns as fast as it may towards a far target", seen.fastest >= t.parameter("turn_speed") * 0.97,
			"it turned at %.0f degrees per second at most" % seen.fastest)
	t.check("it is not locked while it is still turning", tower.get("locked") == false and locks.count == 0,
			"it says so although the beam is %.0f degrees off" % _off(tower, intruder))
	t.check("it reaches the target", await t.until(func(): return _off(tower, intruder) < 1.0, 3.0),
			"after 3 seconds the beam is %.1f degrees off" % _off(tower, intruder))
	await t.physics(30)
	t.equal("it is locked on the target", tower.get("locked"), true)
	t.near("the beam has the colour of the alarm", tower.beam.light_color, Color(t.parameter("alarm")), 0.01)
	t.equal("the lock is told once", locks.emissions, [[intruder]])
	var worst = 0.0
	for step in 60:
		intruder.global_position = IN_FRONT + Vector3(step * 0.05, 0, 0)
		await t.physics(1)
		worst = maxf(worst, _off(tower, intruder))
	t.check("it stays on a walking target", worst < 3.0, "the beam was up to %.1f degrees off" % worst)
	t.equal("a lock that holds is not told again", [locks.count, losses.count], [1, 0])
	var turntable = tower.turntable.rotation
	var lamp = tower.lamp.rotation
	t.near("only the turntable turns and only the lamp tilts", [turntable.x, turntable.z, lamp.y, lamp.z].map(absf).max(), 0.0, 0.005)


func test_losing(t):
	var tower = await _empty_yard(t)
	await _face(t, tower, 0.0)
	var losses = t.watch(tower, "target_lost")
	var locks = t.watch(tower, "target_locked")
	if losses == null or locks == null:
		return
	var intruder = _intruder(t, tower, IN_FRONT)
	await t.seconds(1.0)
	intruder.global_position = Vector3(0, 0.9, -t.parameter("reach") - 1.0)
	await t.seconds(0.2)
	t.equal("a target beyond its reach is lost", [tower.get("locked"), losses.count], [false, 1])
	t.near("the beam is calm again after the loss", tower.beam.light_color, Color(1, 0.93, 0.75), 0.01)
	intruder.global_position = IN_FRONT
	await t.seconds(1.0)
	t.equal("a target that comes back is locked again", [tower.get("locked"), locks.count], [true, 2])
	intruder.queue_free()
	await t.seconds(0.2)
	t.equal("a target that vanishes is lost", [tower.get("locked"), losses.count], [false, 2])
	var before = tower.turntable.rotation_degrees.y
	await t.seconds(1.0)
	t.near("afterwards it turns as when idle", wrapf(tower.turntable.rotation_degrees.y - before, -180, 180), 20.0, 1.0)
	t.near("afterwards it returns to its rest tilt", tower.lamp.rotation_degrees.x, -25.0, 0.5)


func test_which_target(t):
	var tower = await _empty_yard(t)
	await _face(t, tower, 0.0)
	var locks = t.watch(tower, "target_locked")
	var losses = t.watch(tower, "target_lost")
	if losses == null or locks == null:
		return
	var nearer = _intruder(t, tower, Vector3(-4, 0.9, -4))
	var farther = _intruder(t, tower, Vector3(5, 0.9, -6))
	await t.seconds(2.5)
	t.check("the nearer of two intruders is followed", _off(tower, nearer) < 1.0, "the beam is not on it")
	nearer.global_position = Vector3(-6, 0.9, -7)
	await t.seconds(3.0)
	t.check("it changes to the one that is nearer now", _off(tower, farther) < 1.0, "the beam is not on it")
	t.equal("a change of target is a loss and a new lock", [locks.emissions, losses.count], [[[nearer], [farther]], 1])
	var before_it = _intruder(t, tower, farther.global_position * Vector3(0.95, 1.0, 0.95))
	await t.seconds(1.0)
	t.equal("so is a change to one that stands in the same line", [locks.emissions.back(), losses.count], [[before_it], 2])
	t.free_now(before_it)
	await t.seconds(1.0)
	nearer.global_position = Vector3(-6, 0.9, -30)
	farther.global_position = Vector3(6.5, 0.9, -7.5)
	await t.physics(2)
	t.equal("nobody is followed through a wall", tower.get("locked"), false)
	var before = tower.turntable.rotation_degrees.y
	await t.seconds(0.5)
	t.near("behind a wall nobody draws the lamp", wrapf(tower.turntable.rotation_degrees.y - before, -180, 180), 10.0, 1.0)


func test_limits(t):
	var tower = await _empty_yard(t)
	await _face(t, tower, 150.0)
	# at yaw -150 degrees: 60 degrees away across the back, 300 the other way
	_intruder(t, tower, Vector3(0, 0.9, -8).rotated(Vector3.UP, deg_to_rad(-150)))
	var crossed = false
	for step in 60 * 3:
		crossed = crossed or absf(wrapf(tower.turntable.rotation_degrees.y, -180, 180)) < 90.0
		await t.physics(1)
	t.check("it takes the shorter way round", not crossed, "it turned through the front to a target behind it")
	for node in tower.get_tree().get_nodes_in_group("intruders"):
		t.free_now(node)
	var below = _intruder(t, tower, Vector3(0.5, 0.5, -1.0))
	await t.seconds(3.0)
	t.near("the lamp never tilts further than allowed", tower.lamp.rotation_degrees.x, -t.parameter("steepest"), 0.5)
	t.equal("a target too steep below is not locked", tower.get("locked"), false)
	below.global_position = Vector3(0, 8, -5)
	await t.seconds(3.0)
	t.near("the lamp never tilts above the horizon", tower.lamp.rotation_degrees.x, 0.0, 0.5)
	tower.position = Vector3(2, 0, 1)
	tower.rotation_degrees.y = 70.0
	below.global_position = Vector3(-4, 0.9, -2)
	await t.seconds(4.0)
	t.check("it also works on a tower that stands elsewhere and is turned", _off(tower, below) < 1.0,
			"the beam is %.1f degrees off" % _off(tower, below))


func test_the_rest(t):
	await t.open()
	t.equal("both intruders are still in the yard", t.all("Node3D", null, {"group": "intruders"}).size(), 2)
	t.equal("wall and yard are still there", t.all("StaticBody3D").size(), 2)
	t.near("the range of the light is as it was", t.the("SpotLight3D").spot_range, 24.0, 0.01)


func _empty_yard(t):
	await t.open()
	for node in t.all("Node3D", null, {"group": "intruders"}):
		t.free_now(node)
	await t.physics(2)
	var tower = t.role(["searchlight"], "Node3D")
	if tower == null or not t.is_a(tower.get("turntable"), "Node3D") or not t.is_a(tower.get("lamp"), "Node3D") \
			or not t.is_a(tower.get("beam"), "SpotLight3D"):
		return null
	return tower


func _face(t, tower, degrees):
	tower.turntable.rotation_degrees.y = degrees
	await t.physics(1)


func _intruder(t, tower, place):
	var intruder = t.make("Node3D")
	intruder.add_to_group("intruders")
	tower.get_parent().add_child(intruder)
	intruder.global_position = place
	return intruder


## How many degrees the beam misses the target by.
func _off(tower, target):
	return rad_to_deg((-tower.lamp.global_basis.z).angle_to(target.global_position - tower.lamp.global_position))


func _turning(t, tower, seconds):
	var fastest = 0.0
	for step in roundi(seconds * 60):
		var before = tower.lamp.global_basis
		var table = tower.turntable.rotation.y
		var tilt = tower.lamp.rotation.x
		await t.physics(1)
		var turned = absf(wrapf(tower.turntable.rotation.y - table, -PI, PI))
		var whole = 0.0 if tower.lamp.rotation.y == 0.0 else (-before.z).angle_to(-tower.lamp.global_basis.z)
		fastest = maxf(fastest, rad_to_deg([turned, absf(tower.lamp.rotation.x - tilt), whole].max()) * 60.0)
	return {"fastest": fastest}
