extends RefCounted
# The spawner's timers, values, connections and the slimes' group are set in the scenes; then waves come as asked.

const SCRIPTS = {
	"spawner.gd": "394cec27807e8f160e78ef0a0503faf2",
	"slime.gd": "44be763c9ea8288870c1fde2583e43d7",
	"castle.gd": "d5df587f9b0aeee2ce51c297ebe9813b",
	"cannon.gd": "826f1a6c5b1a17952db9f0774d033672",
	"hud.gd": "0f970c20c58a33d8ab6a7cdefb8be8ff",
}


func test_the_scene(t):
	var main = t.still("res://scenes/main.tscn")
	var spawner = t.the("Node2D", main, {"method": "begin_wave"}) if main != null else null
	if not t.exists("the spawner is there", spawner, "no node of the main scene has the method begin_wave"):
		return
	var timers = [spawner.pause, spawner.beat]
	if not t.check("both timers are given to the spawner", timers.all(func(timer): return t.is_a(timer, "Timer")) and timers[0] != timers[1],
			"pause is %s, beat is %s" % timers):
		return
	t.check("the timers stand below the spawner", timers.all(func(timer): return spawner.is_ancestor_of(timer)), "a timer is elsewhere")
	t.near("the timers have the asked times", Vector2(spawner.pause.wait_time, spawner.beat.wait_time),
			Vector2(t.parameter("pause"), t.parameter("beat")), 0.001)
	t.equal("the pause runs once per start", spawner.pause.one_shot, true)
	t.equal("the pause starts by itself", spawner.pause.autostart, true)
	t.equal("the beat repeats", spawner.beat.one_shot, false)
	t.equal("the beat is left to the script", spawner.beat.autostart, false)
	t.equal("the spawner knows the slime's scene", spawner.enemy_scene.resource_path if spawner.enemy_scene != null else "", "res://scenes/slime.tscn")
	t.equal("the spawner knows both gates in order", spawner.gates.map(func(gate): return str(gate.name) if gate != null else ""), ["NorthGate", "SouthGate"])
	t.equal("the sizes of the waves are set", [spawner.wave_size, spawner.growth], [int(t.parameter("size")), int(t.parameter("growth"))])
	# nothing of this scene has run, so what is connected here was saved
	var castle = t.the("Area2D", main, {"signal": "broken"})
	var missing = []
	for one in [
		[spawner.pause, "timeout", spawner, "begin_wave"], [spawner.beat, "timeout", spawner, "spawn_one"],
		[spawner, "wave_began", main.get_node_or_null("Hud"), "show_wave"], [castle, "broken", spawner, "stop"],
	]:
		if one[2] == null or not t.is_connected_to(one[0], one[1], one[2], one[3]):
			missing.append("%s to %s()" % [one[1], one[3]])
	t.check("the connections are saved in the scene", missing.is_empty(), "not in the scene: %s" % ", ".join(missing))


func test_waves(t):
	var began = await _begin(t)
	var spawner = began.spawner
	if spawner.pause == null or spawner.beat == null:
		return
	t.near("the first wave begins after the pause", began.seconds, t.parameter("pause"), 0.1)
	t.equal("nobody comes before the first wave", began.early, 0)
	t.equal("the hud shows the wave", _labels(t).has("Wave 1"), true)
	var times = []
	var places = {}
	for frame in roundi((t.parameter("size") + 2) * t.parameter("beat") * 60.0):
		await t.physics(1)
		for slime in _slimes(t):
			slime.set_physics_process(false)
			if not places.has(slime):
				places[slime] = slime.global_position
				times.append((frame + 1) / 60.0)
	t.equal("the first wave has the asked size", times.size(), int(t.parameter("size")))
	var steps = range(1, times.size()).map(func(index): return times[index] - times[index - 1])
	t.check("the slimes come one after the other", steps.all(func(step): return absf(step - t.parameter("beat")) < 0.05) and not steps.is_empty(),
			"the times between them are %s s, expected %s" % [steps, t.parameter("beat")])
	var roads = places.values().map(func(place): return roundi(place.y))
	t.check("the slimes come out of both gates", 256 in roads and 512 in roads, "they came at y = %s; the gates are at 256 and 512" % [roads])
	t.check("every slime is in the group enemies", not places.is_empty() and places.keys().all(func(slime): return slime.is_in_group("enemies")),
			"of %d slimes %d are in the group" % [places.size(), places.keys().filter(func(slime): return slime.is_in_group("enemies")).size()])
	await t.seconds(t.parameter("pause") + 0.5)
	t.equal("no wave begins while the last one is fought", spawner.wave, 1)
	var cleared = t.watch(spawner, "wave_cleared")
	for slime in _slimes(t):
		slime.queue_free()
	await t.physics(3)
	t.equal("a wave is cleared when all are gone", cleared.emissions, [[1]])
	var waves = t.watch(spawner, "wave_began")
	await t.seconds(t.parameter("pause") - 0.2)
	var before = waves.count
	await t.seconds(0.4)
	t.equal("after another pause the next wave begins", [before, waves.emissions], [0, [[2]]])
	await t.seconds((t.parameter("size") + t.parameter("growth") + 2) * t.parameter("beat"))
	t.equal("the second wave is larger as asked", _slimes(t).size(), int(t.parameter("size") + t.parameter("growth")))


func test_the_fight(t):
	await _begin(t)
	var cannon = t.the("Node2D", null, {"signal": "fired"})
	var fired = t.watch(cannon, "fired")
	await t.until(func(): return not _slimes(t).is_empty(), 3.0)
	for slime in _slimes(t):
		slime.global_position = cannon.global_position + Vector2(-150, 0)
	await t.seconds(1.5)
	t.check("the cannon shoots at slimes", fired != null and fired.count >= 1, "a slime was in reach for 1.5 s and no shot was fired")


func test_the_end(t):
	var spawner = (await _begin(t)).spawner
	var castle = t.the("Area2D", null, {"signal": "broken"})
	var slimes = _slime_to(t, castle, 1)
	await t.physics(4)
	t.equal("a slime at the castle hurts it", [castle.hearts, t.alive(slimes[0])], [4, false])
	t.equal("the hud shows the hearts", _labels(t).has("Hearts: 4"), true)
	castle.hearts = 1
	slimes = _slime_to(t, castle, 1)
	await t.physics(4)
	t.equal("the hud tells the end", _labels(t).has("The castle has fallen"), true)
	await t.seconds(t.parameter("beat") * 0.2)
	for slime in _slimes(t):
		t.free_now(slime)
	await t.seconds(t.parameter("pause") + t.parameter("beat") * 2.0 + 0.5)
	t.equal("when the castle has fallen no more slimes come", [_slimes(t).size(), spawner.wave], [0, 1])


func test_the_rest(t):
	var changed = SCRIPTS.keys().filter(func(name): return t.text_of("res://scripts/" + name).strip_edges().md5_text() != SCRIPTS[name])
	t.check("the scripts are as they were", changed.is_empty(), "changed: %s" % ", ".join(changed))
	var main = t.still("res://scenes/main.tscn")
	var own = t.all("Node", main, func(node): return node.get_script() != null).map(func(node): return node.get_script().resource_path.get_file())
	t.check("no script was added", own.all(func(name): return SCRIPTS.has(name)), "the nodes have the scripts %s" % [own])
	var reload = t.the("Timer", t.the("Node2D", main, {"signal": "fired"}))
	t.check("the cannon's timer is as it was", reload != null and absf(reload.wait_time - 1.2) < 0.001 and reload.autostart
			and t.is_connected_to(reload, "timeout", reload.get_parent(), "_on_reload_timeout"), "it is gone, was changed, or is not connected")
	var gates = t.all("Marker2D", main).map(func(gate): return gate.position)
	t.equal("the gates are where they were", gates, [Vector2(-40, 256), Vector2(-40, 512)])
	var slime = t.still("res://scenes/slime.tscn")
	t.check("the slime is on its layer", t.is_a(slime, "AnimatableBody2D") and slime.collision_layer == 2, "its root or its layer was changed")


# Opens the game and waits for the first wave: when it began, and how many slimes were there before.
func _begin(t):
	await t.open()
	var spawner = t.the("Node2D", null, {"method": "begin_wave"})
	var early = 0
	for frame in 600:
		if spawner.wave > 0:
			return {"spawner": spawner, "seconds": (frame + 2) / 60.0, "early": early}
		early = _slimes(t).size()
		if spawner.pause == null or spawner.beat == null:
			break
		await t.physics(1)
	return {"spawner": spawner, "seconds": -1.0, "early": early}


func _slimes(t):
	return t.all("AnimatableBody2D", null, func(node): return node.has_method("hit") and not node.is_queued_for_deletion())


func _labels(t):
	return t.all("Label").map(func(label): return label.text)


func _slime_to(t, castle, count):
	var made = []
	for index in count:
		var slime = t.resource("res://scenes/slime.tscn").instantiate()
		slime.position = castle.position + Vector2(-50, 128)
		castle.get_parent().add_child(slime)
		made.append(slime)
	return made
