extends RefCounted
# The numbers of the particles are read from the node, whichever kind it is; that they are really drawn, begin where
# they should and end with the fire is seen in the picture.

const LEFT = Vector2(430, 574)
const RIGHT = Vector2(930, 574)


func test_the_numbers(t):
	await t.open()
	var fire = _fire_at(t, LEFT)
	if not t.exists("the left fire is where it was", fire, "no fire at %s" % LEFT):
		return
	var node = _sparks(t, fire)
	if not t.exists("the campfire has one more particle node", node, "besides the smoke there is none, or more than one, below the campfire"):
		return
	t.near("it stands at the embers", node.global_position, t.the("Marker2D", fire).global_position, 2.0)
	t.check("it is assigned to the campfire's sparks", fire.sparks == node, "the property holds %s" % fire.sparks)
	var seen = _read(t, node)
	t.equal("it has the asked number of particles", seen.amount, int(t.parameter("amount")))
	t.near("they live as long as asked", seen.lifetime / seen.speed_scale, t.parameter("lifetime"), 0.01)
	t.check("it emits without end", not seen.one_shot, "it is a single burst")
	t.equal("they show the picture of the star", seen.texture.resource_path if seen.texture != null else "none", "res://art/camp/star.png")
	var scale = node.global_scale.x
	t.near("they are as large as asked", Vector2(seen.scale_amount_min, seen.scale_amount_max) * scale, Vector2.ONE * t.parameter("scale"), 0.005)
	t.check("they begin in a sphere as large as asked", seen.emission_shape == CPUParticles2D.EMISSION_SHAPE_SPHERE
			and absf(seen.emission_sphere_radius * scale - t.parameter("radius")) < 0.1,
			"shape %d, radius %s" % [seen.emission_shape, seen.emission_sphere_radius])
	var up = seen.direction.rotated(node.global_rotation).normalized()
	t.near("they fly straight up", up, Vector2.UP, 0.02)
	t.near("they spread as asked", seen.spread, t.parameter("spread"), 0.1)
	t.near("they are as fast as asked", Vector2(seen.initial_velocity_min, seen.initial_velocity_max) * scale,
			Vector2(t.parameter("slow"), t.parameter("fast")), 0.5)
	t.near("gravity pulls them upwards", seen.gravity, Vector2(0, -t.parameter("lift")), 0.5)
	var ramp = seen.color_ramp
	if not t.exists("they have a colour ramp", ramp, "their colour does not change over their life"):
		return
	var hot = Color(t.parameter("hot"))
	var cold = Color(Color(t.parameter("cold")), 0.0)
	t.near("they begin in the asked colour", ramp.sample(0.0) * seen.color, hot, 0.02)
	t.near("they end in the asked colour, transparent", ramp.sample(1.0) * seen.color, cold, 0.02)
	t.near("they change evenly", ramp.sample(0.5) * seen.color, hot.lerp(cold, 0.5), 0.05)


func test_the_burning_fire(t):
	await t.open()
	await t.seconds(2)
	var fire = _fire_at(t, LEFT)
	var places = await _places(t, fire)
	t.check("sparks are seen above the burning fire", places.size() > 8, "the picture is the same without the particles")
	if places.is_empty():
		return
	var embers = t.place_of(t.the("Marker2D", fire))
	var highest = places.map(func(place): return embers.y - place.y).max()
	var lowest = places.map(func(place): return embers.y - place.y).min()
	# half of the longest way, since a spark is hardly seen at its end
	var way = _way(t)
	t.between("they rise as far as they should", highest, way * 0.45, way + t.parameter("radius") + 25.0)
	t.between("none flies below the embers", lowest, -t.parameter("radius") - 20.0, way)
	var aside = places.map(func(place): return absf(place.x - embers.x)).max()
	t.between("none flies far to the side", aside, 0.0, t.parameter("radius") + 20.0 + way * sin(deg_to_rad(t.parameter("spread"))))


func test_put_out_and_lit(t):
	await t.open()
	var left = _fire_at(t, LEFT)
	var right = _fire_at(t, RIGHT)
	await t.seconds(1)
	t.check("no sparks above the cold fire", (await _places(t, right)).is_empty(), "they are seen although it does not burn")
	await t.physics(2)
	await t.tap("ui_accept")
	t.check("the hiker puts the left fire out", not left.lit and not right.lit, "burning: left %s, right %s" % [left.lit, right.lit])
	t.check("the smoke rises from it", _smoke(left).emitting, "the smoke is not emitted")
	await t.seconds(t.parameter("lifetime") * 1.5 + 0.2)
	t.check("no sparks above a fire that was put out", (await _places(t, left)).is_empty(), "they are still seen")
	t.role(["hiker"], "CharacterBody2D").global_position = RIGHT + Vector2(-60, 18)
	await t.physics(5)
	await t.tap("ui_accept")
	await t.seconds(1.5)
	t.check("sparks are seen above a fire that was lit", (await _places(t, right)).size() > 8, "none are seen above the right fire")


func test_the_rest(t):
	await t.open()
	var smoke = _smoke(_fire_at(t, LEFT))
	if not t.exists("the smoke is still there", smoke, "the campfire has lost its node Smoke"):
		return
	t.equal("the smoke is as it was", [smoke.amount, smoke.lifetime, smoke.one_shot, smoke.emitting, smoke.initial_velocity_max], [14, 1.6, true, false, 70.0])
	t.equal("two fires, one of them burning", t.all("Area2D").map(func(one): return one.lit), [true, false])
	t.equal("the fires are counted", t.the("Label").text, "Fires burning: 1")


func _fire_at(t, place):
	return t.the("Area2D", null, func(one): return one.global_position.distance_to(place) < 4.0)


func _smoke(fire):
	return fire.get_node_or_null("Smoke")


func _sparks(t, fire):
	var found = t.all("GPUParticles2D", fire) + t.all("CPUParticles2D", fire)
	found.erase(_smoke(fire))
	return found[0] if found.size() == 1 else null


# What a particle node of either kind is set to.
func _read(t, node):
	if t.is_a(node, "CPUParticles2D"):
		return node
	var same = t.make("CPUParticles2D", {"visible": false})
	same.convert_from_particles(node)
	node.get_tree().current_scene.add_child(same)
	same.emitting = false
	return same


# How far the fastest spark flies in its life.
func _way(t):
	return t.parameter("fast") * t.parameter("lifetime") + t.parameter("lift") * t.parameter("lifetime") ** 2 / 2.0


# The places in the picture that look different with the particles, with everything else held still.
func _places(t, fire):
	var node = _sparks(t, fire)
	if node == null:
		return []
	fire.set_process(false)  # its flame flickers
	var smoke = _smoke(fire)
	smoke.visible = false
	var shown = await _drawn(t)
	node.visible = false
	var hidden = await _drawn(t)
	node.visible = true
	smoke.visible = true
	fire.set_process(true)
	var places = []
	for y in range(200, 600, 2):
		for x in range(int(fire.global_position.x) - 200, int(fire.global_position.x) + 200, 2):
			if shown.get_pixel(x, y) != hidden.get_pixel(x, y) and t.distance(shown.get_pixel(x, y), hidden.get_pixel(x, y)) > 0.04:
				places.append(Vector2(x, y))
	return places


func _drawn(t):
	await t.frames(2)
	return await t.picture()
