extends RefCounted
# Both ferries are followed frame by frame for more than a whole round; place, bow and wake are compared with their routes.

const FRAME := 1.0 / 60.0
const NAMES = ["FerryNorth", "FerrySouth"]
const ROUTES = ["RouteNorth", "RouteSouth"]


func test_the_way(t):
	var logs = await _followed(t)
	if not t.check("both ferries and their routes are there", logs.size() == 2, "found %d ferries with a route" % logs.size()):
		return
	for log in logs:
		var off = log.seen.map(func(one): return one.off).max()
		t.check("the ferries stay on their routes", off < 3.0, "%s is up to %.0f pixels away from its curve" % [log.name, off])
		t.check("they set out at once from the beginning", log.seen[0].along < log.speed * 0.12 and log.seen[12].along > log.speed * 0.08,
				"%s is %.0f pixels along its route at the start and %.0f after 0.2 s" % [log.name, log.seen[0].along, log.seen[12].along])
		var paces = _paces(log)
		t.check("they sail at the asked speed", not paces.is_empty() and absf(_mean(paces) - log.speed) < log.speed * 0.04,
				"%s sails at %.0f pixels per second, expected %.0f" % [log.name, _mean(paces), log.speed])
		t.check("their speed is even", not paces.is_empty() and paces.max() < log.speed * 1.08 and paces.min() > log.speed * 0.92,
				"%s sails at %.0f to %.0f pixels per second" % [log.name, _least(paces), _most(paces)])
		t.check("they reach the end and come back", _rests(log).size() >= 2 and _rests(log)[0].at_end and not _rests(log)[1].at_end,
				"%s lay still %s" % [log.name, _told(_rests(log))])


func test_the_bow(t):
	for log in await _followed(t):
		var worst = _worst_bow(log, false)
		t.check("on the way out the bow points ahead", worst < 9.0, "the bow of %s is up to %.0f° off its way" % [log.name, worst])
		worst = _worst_bow(log, true)
		t.check("on the way back the bow points ahead", worst < 9.0, "the bow of %s is up to %.0f° off its way" % [log.name, worst])


func test_at_the_piers(t):
	var wait = t.parameter("wait")
	for log in await _followed(t):
		var rests = _rests(log)
		var times = rests.map(func(rest): return rest.count * FRAME)
		t.check("they lie still for the asked time", rests.size() >= 2 and times.all(func(time): return absf(time - wait) < 0.13),
				"%s lay still %s, expected %.1f s each time" % [log.name, _told(rests), wait])
		var turns = rests.map(func(rest): return _turn(log, rest))
		t.check("they turn round by half a turn", not turns.is_empty() and turns.all(func(turn): return absf(turn.whole - 180.0) < 12.0),
				"%s turned by %s" % [log.name, turns.map(func(turn): return "%.0f°" % turn.whole)])
		t.check("they turn evenly", not turns.is_empty() and turns.all(func(turn):
				return absf(turn.half - 90.0) < 15.0 and turn.most < 180.0 / (wait * 60.0) * 2.0),
				"half of the time turns %s by %s; the fastest frames by %s" % [log.name, turns.map(func(turn): return "%.0f°" % turn.half),
				turns.map(func(turn): return "%.1f°" % turn.most)])
		var shown = log.seen.filter(func(one): return one.wake).size()
		t.check("the wake is seen only while they sail", _wake_fits(log), "the wake of %s is visible in %d of %d frames, which are not those in which it sails"
				% [log.name, shown, log.seen.size()])


func test_the_rest(t):
	await t.open()
	var lengths = ROUTES.map(func(name): return roundi(_named(t, "Path2D", name).curve.get_baked_length()) if _named(t, "Path2D", name) != null else 0)
	t.equal("the routes are as they were", lengths, [839, 599])
	var south = _named(t, "Path2D", "RouteSouth")
	t.check("the southern route lies where it lay", south != null and south.global_position.distance_to(Vector2(412, 556)) < 1.0
			and absf(south.global_rotation - 0.05) < 0.01, "RouteSouth was moved or turned")
	t.check("trees and rocks are still there", t.all("Sprite2D").size() >= 26, "there are only %d pictures" % t.all("Sprite2D").size())
	var ferry = t.still("res://scenes/ferry.tscn")
	t.check("the ferry has all its parts", ferry != null and ["Wake", "Hull", "Deck", "Cabin", "Crate1", "Crate2"].all(
			func(part): return _named(t, "Node2D", part, ferry) != null), "a part of ferry.tscn is gone")


func _named(t, type, name, under = null):
	return t.the(type, under, {"name": name})


# For each ferry: what was seen of it in every frame of a round and a half.
func _followed(t):
	await t.open()
	var logs = []
	for index in NAMES.size():
		var ferry = _named(t, "Node2D", NAMES[index])
		var route = _named(t, "Path2D", ROUTES[index])
		var hull = _named(t, "Polygon2D", "Hull", ferry) if ferry != null else null
		var wake = _named(t, "Polygon2D", "Wake", ferry) if ferry != null else null
		if hull != null and wake != null and route != null:
			logs.append({"name": NAMES[index], "hull": hull, "wake": wake, "route": route, "seen": [],
					"length": route.curve.get_baked_length(), "speed": float(t.parameter("speed"))})
	var longest = logs.map(func(log): return log.length).max() if not logs.is_empty() else 0.0
	var enough = 3.0 * longest / t.parameter("speed") + 2.0 * t.parameter("wait")
	var asked = []
	for log in logs:
		asked += [[log.hull, "global_transform"], [log.wake, "is_visible_in_tree"], [log.route, "global_transform"]]
	var rows = await t.record(int(enough * 60.0), asked)
	for index in logs.size():
		var curve = _copied(logs[index].route.curve)
		for row in rows:
			var hull = row[index * 3]
			var route = row[index * 3 + 2]
			var along = curve.get_closest_offset(route.affine_inverse() * hull.origin)
			logs[index].seen.append({"place": hull.origin, "along": along, "bow": -hull.y.normalized(),
					"off": hull.origin.distance_to(route * curve.sample_baked(along, true)), "wake": row[index * 3 + 1]})
	return logs


# The same curve in the test's own process, which asks it thousands of times.
func _copied(curve):
	var copy = Curve2D.new()
	copy.bake_interval = curve.bake_interval
	for index in curve.point_count:
		copy.add_point(curve.get_point_position(index), curve.get_point_in(index), curve.get_point_out(index))
	return copy


func _sails(log, index):
	return log.seen[index + 1].place.distance_to(log.seen[index - 1].place) > 0.5


# Stretches in which a ferry does not move.
func _rests(log):
	var found = []
	var first = -1
	for index in range(1, log.seen.size() - 1):
		if not _sails(log, index):
			first = index if first < 0 else first
		elif first >= 0:
			found.append({"first": first, "count": index - first + 1, "at_end": log.seen[first].along > log.length / 2.0})
			first = -1
	return found.filter(func(rest): return rest.count > 6)


func _told(rests):
	if rests.is_empty():
		return "never"
	return ", ".join(rests.map(func(rest): return "%.2f s at its %s" % [rest.count * FRAME, "end" if rest.at_end else "beginning"]))


# The speed along the curve, in steps of a quarter of a second, away from the piers.
func _paces(log):
	var found = []
	for index in range(0, log.seen.size() - 15, 5):
		var from = log.seen[index].along
		var to = log.seen[index + 15].along
		if minf(from, to) > log.speed * 0.3 and maxf(from, to) < log.length - log.speed * 0.3:
			found.append(absf(to - from) * 4.0)
	return found


# The largest angle between the bow and the way, in degrees.
func _worst_bow(log, back):
	var worst = 0.0
	var count = 0
	for index in range(3, log.seen.size() - 3):
		var way = log.seen[index + 1].place - log.seen[index - 1].place
		var is_back = log.seen[index + 1].along < log.seen[index - 1].along
		var clear = range(index - 3, index + 4).all(func(n): return n < 1 or n > log.seen.size() - 2 or _sails(log, n))
		if clear and is_back == back:
			worst = maxf(worst, absf(rad_to_deg(way.angle_to(log.seen[index].bow))))
			count += 1
	return worst if count > 30 else 180.0


# How far the bow turns in a rest: in the whole of it, in its first half, and at most in one frame.
func _turn(log, rest):
	var sum = 0.0
	var half = 0.0
	var most = 0.0
	for index in range(rest.first, mini(rest.first + rest.count, log.seen.size())):
		var step = rad_to_deg(log.seen[index - 1].bow.angle_to(log.seen[index].bow))
		sum += step
		most = maxf(most, absf(step))
		if index - rest.first <= rest.count / 2:
			half += step
	return {"whole": absf(sum), "half": absf(half), "most": most}


func _wake_fits(log):
	var wrong = 0
	var sailing = 0
	for index in range(4, log.seen.size() - 4):
		var now = _sails(log, index)
		if _sails(log, index - 3) == now and _sails(log, index + 3) == now:
			sailing += 1 if now else 0
			wrong += 1 if log.seen[index].wake != now else 0
	return wrong == 0 and sailing > 60


func _mean(values):
	return values.reduce(func(sum, one): return sum + one, 0.0) / maxf(values.size(), 1.0)


func _least(values):
	return values.min() if not values.is_empty() else 0.0


func _most(values):
	return values.max() if not values.is_empty() else 0.0
