extends RefCounted
# The laser is on its layer, hits what it should and nothing else, and no other scene was changed for that.


func test_its_layer(t):
	var laser = t.still("res://scenes/laser.tscn")
	if not t.exists("the laser's scene is there", laser, "res://scenes/laser.tscn cannot be opened"):
		return
	await t.open()
	t.press("shoot")
	await t.physics(3)
	t.release("shoot")
	var shots = t.all("Area2D", null, {"group": "lasers"})
	t.check("a shot flies", not shots.is_empty(), "three frames after the shot there is no laser; did it strike the ship?")
	var layers = shots.map(func(shot): return shot.collision_layer)
	t.check("the laser is on the layer lasers only", laser.collision_layer == 8 if layers.is_empty() else layers == [8],
			"its collision_layer is %d, that of a shot %s; the layer lasers is the fourth" % [laser.collision_layer, layers])


func test_its_own_ship(t):
	await t.open()
	var ship = t.the("CharacterBody2D")
	var damaged = t.watch(ship, "damaged")
	var highest = [720.0]
	for side in ["move_left", "move_right"]:
		t.press(side)
		t.press("shoot")
		for step in 20:
			await t.physics(1)
			for shot in t.all("Area2D", null, {"group": "lasers"}):
				highest[0] = minf(highest[0], shot.global_position.y)
		t.release("shoot")
		t.release(side)
	t.equal("the ship is not struck by its own shot", damaged.count, 0)
	t.check("its shots leave the ship behind", highest[0] < ship.global_position.y - 150.0,
			"the highest laser got to y = %d, the ship is at %d" % [highest[0], ship.global_position.y])


func test_what_it_hits(t):
	await t.open()
	var meteor = await _shot_at(t, "meteors")
	t.equal("meteors are hit or spared as asked", meteor, _expected(t.parameter("hits_meteors")))
	var pod = await _shot_at(t, "pods")
	t.equal("pods are hit or spared as asked", pod, _expected(t.parameter("hits_pods")))
	var drone = await _shot_at(t, "drones")
	t.equal("drones are hit or spared as asked", drone, _expected(true))


func test_the_others(t):
	await t.open()
	var layers = {}
	for name in ["ship", "pod", "meteor", "drone"]:
		var body = t.still("res://scenes/%s.tscn" % name)
		layers[name] = body.collision_layer if body != null else -1
	t.equal("the other scenes are on their layers", layers, {"ship": 1, "pod": 2, "meteor": 4, "drone": 16})
	var ship = t.the("CharacterBody2D")
	var damaged = t.watch(ship, "damaged")
	var rescued = t.watch(ship, "pod_rescued")
	await _ram(t, ship, "meteors")
	t.equal("a meteor that runs into the ship damages it", damaged.count, 1)
	await _ram(t, ship, "drones")
	t.equal("a drone that runs into the ship damages it", damaged.count, 2)
	await _ram(t, ship, "pods")
	t.equal("the ship takes a pod on board", [rescued.count, damaged.count], [1, 2])


func _first(t, group):
	return t.all("PhysicsBody2D", null, {"group": group}).front()


# Where everything else is far away: one laser from below. What became of the body, and of the laser.
func _shot_at(t, group):
	var body = _first(t, group)
	if body == null:
		return "no body of the group %s is there" % group
	body.set_physics_process(false)
	body.global_position = Vector2(150, 480)
	for other in t.all("AnimatableBody2D"):
		if other != body:
			other.set_physics_process(false)
			other.global_position.x = maxf(other.global_position.x, 500.0)
	await t.physics(2)
	var destroyed = t.watch(body, "destroyed")
	var laser = t.resource("res://scenes/laser.tscn").instantiate()
	laser.position = Vector2(150, 600)
	body.get_parent().add_child(laser)
	await t.seconds(0.4)
	var found = "%s, laser %s" % ["hit" if destroyed.count == 1 else "not hit", "flies on" if t.alive(laser) else "gone"]
	if t.alive(laser):
		laser.queue_free()
	if t.alive(body):
		body.global_position = Vector2(900, 100)
	return found


func _expected(hit):
	return "hit, laser gone" if hit else "not hit, laser flies on"


func _ram(t, ship, group):
	var body = _first(t, group)
	body.global_position = ship.global_position + Vector2(0, -20)
	await t.physics(4)
	if t.alive(body):
		body.global_position = Vector2(900, 100)
	await t.physics(3)
