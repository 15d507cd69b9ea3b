extends RefCounted
# Each tile is laid out alone, far outside the cellar, and felt with rays and a falling body. Then the game itself is
# played with them.

const GROUND = 1
const GUARD = 4
const FULL = [-64.0, 64.0]
const CELLS = {
	"stoneMid.png": 22, "stoneCenter.png": 59, "stoneHalf_mid.png": 3, "stoneHill_right.png": 1, "bridgeB.png": 4, "boxCrate.png": 1,
	"spikes.png": 2, "lavaTop_low.png": 3, "ladderMid.png": 4, "doorClosed_mid.png": 1, "doorClosed_top.png": 1,
}


func test_solid_tiles(t):
	var felt = await _felt(t, GROUND)
	if felt.is_empty():
		return
	t.check("the crate is solid all over", _is_block(felt["boxCrate.png"], 128), _about(felt["boxCrate.png"], "128 px from the top"))
	var solid = felt[t.parameter("solid")]
	t.check("the thin solid tile is solid as far as asked", _is_block(solid, t.parameter("solid_height")),
			_about(solid, "%d px from the top" % t.parameter("solid_height")))
	var one_way = felt[t.parameter("one_way")]
	t.check("the one-way tile is solid as far as asked", _is_block(one_way, t.parameter("one_way_height")),
			_about(one_way, "%d px from the top" % t.parameter("one_way_height")))
	var ramp = felt["stoneHill_right.png"]
	t.check("the ramp is solid below its diagonal", ramp.size() == 5
			and ramp.all(func(one): return absf(one.top + one.x) < 3.0 and absf(one.bottom - 64.0) < 3.0),
			_about(ramp, "the line from (-64, 64) to (64, -64), and all below"))
	for picture in ["stoneMid.png", "stoneCenter.png"]:
		t.check("floor and walls are solid as before", _is_block(felt[picture], 128), picture + ": " + _about(felt[picture], "all of it"))
	for picture in ["spikes.png", "lavaTop_low.png", "ladderMid.png", "doorClosed_mid.png", "doorClosed_top.png"]:
		t.check("the other tiles stop nobody", felt[picture].is_empty(), picture + " is solid on the layer of the ground")


func test_the_door(t):
	var layer = await _cellar(t)
	if layer == null:
		return
	t.equal("the tile set has two physics layers", layer.tile_set.get_physics_layers_count(), 2)
	var values = range(layer.tile_set.get_physics_layers_count()).map(func(n): return layer.tile_set.get_physics_layer_collision_layer(n))
	values.sort()
	t.equal("they are on the asked collision layers", values, [GROUND, GUARD])
	var felt = await _felt(t, GUARD)
	t.check("the door is solid for the mouse", _is_block(felt["doorClosed_mid.png"], 128), _about(felt["doorClosed_mid.png"], "all of it"))
	var others = felt.keys().filter(func(picture): return picture != "doorClosed_mid.png" and not felt[picture].is_empty())
	t.check("nothing else is on the layer of the door", others.is_empty(), "also on it: %s" % ", ".join(others))


func test_one_way(t):
	var layer = await _cellar(t)
	if layer == null:
		return
	var ways = {}
	for picture in ["bridgeB.png", "stoneHalf_mid.png", "boxCrate.png", "stoneMid.png"]:
		var place = _lay(t, layer, picture, ways.size())
		await t.physics(4)
		var probe = _probe(t, layer, place + Vector2(0, 150))
		probe.velocity = Vector2(0, -1100)
		var top = probe.position.y
		for step in 120:
			probe.velocity.y += 30.0
			probe.move_and_slide()
			top = minf(top, probe.position.y)
			await t.physics(1)
		ways[picture] = {"through": top < place.y - 80.0, "stands": absf(probe.position.y - (place.y - 64.0 - 10.0)) < 3.0}
		t.free_now(probe)
	var asked = ways[t.parameter("one_way")]
	t.check("one can jump up through the one-way tile", asked.through, "a body that comes from below is stopped")
	t.check("one then stands on the one-way tile", asked.stands, "a body that comes from above is not stopped at its upper edge")
	for picture in ways:
		if picture != t.parameter("one_way"):
			t.check("one cannot jump through the others", not ways[picture].through, picture + " lets a body through from below")


func test_data(t):
	var layer = await _cellar(t)
	if layer == null:
		return
	var tiles = layer.tile_set
	var types = ["climb", "damage", "surface"].map(func(name):
		var index = tiles.get_custom_data_layer_by_name(name)
		return tiles.get_custom_data_layer_type(index) if index >= 0 else "missing")
	t.equal("the custom data layers have the asked types", types, [TYPE_BOOL, TYPE_INT, TYPE_STRING])
	var damage = {"spikes.png": int(t.parameter("spikes")), "lavaTop_low.png": int(t.parameter("lava"))}
	var surface = {
		"stoneMid.png": "stone", "stoneHalf_mid.png": "stone", "stoneHill_right.png": "stone", "boxCrate.png": "wood", "bridgeB.png": "wood",
	}
	for picture in CELLS:
		var data = _tile(t, layer, picture)
		if not t.exists("every picture still has its tile", data, "no tile for %s" % picture):
			return
		t.equal("every tile has its damage", [picture, data.get_custom_data("damage")], [picture, damage.get(picture, 0)])
		t.equal("every tile has its surface", [picture, data.get_custom_data("surface")], [picture, surface.get(picture, "")])
		t.equal("only the ladder can be climbed", [picture, data.get_custom_data("climb")], [picture, picture == "ladderMid.png"])


func test_the_maid(t):
	await t.open()
	var maid = t.role(["hero"], "CharacterBody2D")
	if not t.exists("the maid is there", maid, "no body with the script hero.gd"):
		return
	maid.global_position = Vector2(576, 960)
	await t.seconds(0.5)
	t.near("she stands on the crate", maid.global_position.y, 1024.0, 3.0)
	t.equal("she knows that it is wood", maid.standing_on, "wood")
	maid.global_position = Vector2(1600, 1152)
	await t.physics(5)
	t.press("ui_right")
	await t.until(func(): return maid.global_position.x > 1850.0, 2.0)
	t.release("ui_right")
	await t.seconds(0.3)
	t.near("she walks up the ramp", maid.global_position.y, 1024.0, 3.0)
	t.equal("nothing has hurt her so far", maid.health, 12)
	maid.global_position = Vector2(960, 1150)
	await t.seconds(0.5)
	t.equal("the spikes hurt her", maid.health, 12 - int(t.parameter("spikes")))
	maid.global_position = Vector2(256, 1152)
	await t.seconds(1.2)
	maid.health = 12
	maid.global_position = Vector2(2112, 1270)
	await t.seconds(0.5)
	t.equal("the lava hurts her", maid.health, 12 - int(t.parameter("lava")))
	maid.global_position = Vector2(1700, 640)
	await t.physics(5)
	t.press("ui_right")
	await t.seconds(1.2)
	t.release("ui_right")
	t.near("she walks through the door", maid.global_position, Vector2(2084, 640), 40.0)


func test_the_mouse(t):
	await t.open()
	var mouse = t.role(["mouse"], "CharacterBody2D")
	var places = (await t.record(60 * 6, [[mouse, "global_position:x"]])).map(func(row): return row[0])
	t.near("the mouse turns around at the door", places.min(), 2048.0 + 44.0, 4.0)
	t.near("the mouse turns around at the wall", places.max(), 2432.0 - 44.0, 4.0)


func test_the_level(t):
	var layer = await _cellar(t)
	if layer == null:
		return
	var count = {}
	for cell in layer.get_used_cells():
		var picture = _picture(t, layer.tile_set, layer.get_cell_source_id(cell))
		count[picture] = count.get(picture, 0) + 1
	for picture in CELLS:
		t.equal("the level has all its cells", [picture, count.get(picture, 0)], [picture, CELLS[picture]])
	t.equal("the bridge is where it was", _picture(t, layer.tile_set, layer.get_cell_source_id(Vector2i(3, 6))), "bridgeB.png")


func _cellar(t):
	await t.open()
	var layer = t.the("TileMapLayer")
	var good = layer != null and layer.tile_set != null and layer.tile_set.resource_path == "res://tiles/cellar.tres"
	t.check("the cellar is drawn with its tile set", good, "there is not one TileMapLayer with res://tiles/cellar.tres")
	return layer if good else null


func _picture(t, tiles, id):
	var source = tiles.get_source(id) if tiles.has_source(id) else null
	return source.texture.resource_path.get_file() if t.is_a(source, "TileSetAtlasSource") and source.texture != null else ""


func _source(t, layer, picture):
	for index in layer.tile_set.get_source_count():
		var id = layer.tile_set.get_source_id(index)
		if _picture(t, layer.tile_set, id) == picture:
			return id
	return -1


func _tile(t, layer, picture):
	var id = _source(t, layer, picture)
	return layer.tile_set.get_source(id).get_tile_data(Vector2i.ZERO, 0) if id >= 0 else null


# Puts one tile where nothing else is, and says where its middle lies.
func _lay(t, layer, picture, number):
	var cell = Vector2i(60 + number * 4, 0)
	layer.set_cell(cell, _source(t, layer, picture), Vector2i.ZERO)
	return layer.to_global(layer.map_to_local(cell))


# For each picture how its tile is felt from above and below, at five places; nothing where nothing stops the rays.
func _felt(t, mask):
	var layer = await _cellar(t)
	var felt = {}
	if layer == null:
		return felt
	var places = {}
	for picture in CELLS:
		places[picture] = _lay(t, layer, picture, places.size())
	await t.physics(4)
	var space = layer.get_world_2d().direct_space_state
	for picture in places:
		felt[picture] = []
		for x in [-58.0, -30.0, 0.0, 30.0, 58.0]:
			var middle = places[picture] + Vector2(x, 0)
			var down = space.intersect_ray(_ray(t, middle - Vector2(0, 120), middle + Vector2(0, 120), mask))
			var up = space.intersect_ray(_ray(t, middle + Vector2(0, 120), middle - Vector2(0, 120), mask))
			if not down.is_empty() and not up.is_empty():
				felt[picture].append({"x": x, "top": down.position.y - middle.y, "bottom": up.position.y - middle.y})
	return felt


func _ray(t, from, to, mask):
	return t.make("PhysicsRayQueryParameters2D", {"from": from, "to": to, "collision_mask": mask})


# Solid at all five places, from the upper edge on so many pixels down.
func _is_block(places, height):
	return places.size() == 5 and places.all(
			func(one): return absf(one.top + 64.0) < 3.0 and absf(one.bottom - (height - 64.0)) < 3.0)


func _about(places, expected):
	if places.is_empty():
		return "it is not solid, expected %s" % expected
	var found = places.map(func(one): return "at x %d from %d to %d" % [one.x, roundi(one.top), roundi(one.bottom)])
	return "measured from the middle of the tile, it is solid %s; expected %s" % [", ".join(found), expected]


func _probe(t, layer, place):
	var probe = t.make("CharacterBody2D", {"position": place})
	probe.add_child(t.make("CollisionShape2D", {"shape": t.make("RectangleShape2D", {"size": Vector2(20, 20)})}))
	layer.get_parent().add_child(probe)
	return probe
