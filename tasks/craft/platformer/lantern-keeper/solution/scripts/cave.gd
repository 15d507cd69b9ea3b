class_name Cave
extends Node2D
## One place of the game: built from its text map, lit by its torches, watched over by the keeper.

signal cleared(result: Dictionary)
signal flame_out
signal noted(text: String, icon: Texture2D)
signal hinted(text: String)

const TILE := CaveTiles.SIZE
const FALL_COST := 25.0
const KEEPER_SCENE: PackedScene = preload("res://scenes/keeper.tscn")
const ZOOM := 0.66
const VIEW := Vector2(1280, 720) / ZOOM

var index: int = 0
var mood: Dictionary = {}
var keeper: Keeper
var torches: Array[Torch] = []
var door: ExitDoor
var gems: int = 0
var gem_total: int = 0
var has_key: bool = false
var rekindled: bool = false
var seconds: float = 0.0
## Title and ending look at a place without playing in it.
var showcase: bool = false

var _rows: Array = []
var _size := Vector2i.ZERO
var _tiles: CaveTiles
var _ground := TileMapLayer.new()
var _wall := TileMapLayer.new()
var _decor := TileMapLayer.new()
var _hanging := TileMapLayer.new()
var _things := Node2D.new()
var _backdrop := Backdrop.new()
var _light := LightField.new()
var _camera := Camera2D.new()
var _ladders: Dictionary[Vector2i, bool] = {}
var _gates: Array[Gate] = []
var _lava: Array[Vector2] = []
var _start := Vector2.ZERO
var _return_to := Vector2.ZERO
var _last_torch: Torch
var _peek := Vector2.ZERO
var _peek_time: float = 0.0
var _shake: float = 0.0
var _lost_footing: bool = false
var _age: float = 0.0


func build(which: int) -> void:
	index = which
	mood = CaveData.MOODS[which]
	showcase = which >= CaveData.TITLE
	_rows = CaveData.MAPS[which]
	_size = Vector2i(_rows[0].length(), _rows.size())
	_tiles = CaveTiles.new(mood.tiles)
	add_child(_backdrop)
	_backdrop.build(mood, _size.x * TILE, _size.y * TILE, which == CaveData.VILLAGE)
	for layer: TileMapLayer in [_wall, _hanging, _decor]:
		layer.tile_set = _tiles.tile_set
		layer.collision_enabled = false
		add_child(layer)
	_wall.modulate = mood.wall
	_hanging.modulate = mood.wall.lerp(Color.WHITE, 0.25)
	add_child(_things)
	_ground.tile_set = _tiles.tile_set
	_ground.modulate = mood.ground
	_ground.z_index = 2
	add_child(_ground)
	for row: int in _size.y:
		for column: int in _size.x:
			_place(_rows[row][column], Vector2i(column, row))
	_dress()
	_add_keeper()
	_light.ambient = mood.ambient
	add_child(_light)
	_add_motes()
	_camera.zoom = Vector2(ZOOM, ZOOM)
	add_child(_camera)
	_camera.position = _camera_goal()
	_camera.make_current()


## Puts the cave into a later state: which torches burn already, where the keeper stands, what is left of the flame.
func prepare(state: Dictionary) -> void:
	for number: int in state.get("lit", []):
		torches[number].wake(true)
		_last_torch = torches[number]
	_take_first_gems(state.get("gems", 0))
	if state.get("gate_open", false):
		for gate: Gate in _gates:
			gate.open_quietly()
	keeper.flame = state.get("flame", Keeper.FULL)
	if state.has("at"):
		_start = _spot(state.at)
		keeper.place(_start, 0.0)
	_return_to = _last_torch.position if _last_torch else _start
	_light.dawn = _share_lit()
	_camera.position = _camera_goal()


## The gems nearest to the entrance count as found.
func _take_first_gems(count: int) -> void:
	var found: Array = _things.get_children().filter(func(node: Node) -> bool: return node is Pickup and (node as Pickup).is_gem)
	found.sort_custom(func(a: Pickup, b: Pickup) -> bool: return a.position.x < b.position.x)
	gems = mini(count, found.size())
	for index: int in gems:
		found[index].queue_free()


func torches_lit() -> int:
	var count: int = 0
	for torch: Torch in torches:
		count += int(torch.lit)
	return count


## Where the player should look next: the nearest cold torch, or the open door.
func objective() -> Vector2:
	var best: Vector2 = door.position
	var nearest: float = INF
	for torch: Torch in torches:
		var distance: float = torch.position.distance_to(keeper.position)
		if not torch.lit and distance < nearest:
			nearest = distance
			best = torch.position
	return best


func to_screen(at: Vector2) -> Vector2:
	return (at - _camera.get_screen_center_position()) * ZOOM + Vector2(640, 360)


## After the flame went out: the last torch still burns, so the keeper may begin again from there.
func rekindle() -> void:
	rekindled = true
	_lost_footing = false
	keeper.flame = Keeper.FULL
	keeper.place(_return_to)
	Fx.burst(_things, _return_to, Art.dot(), Color(1.0, 0.75, 0.35), 26, 460.0, 1.2)


func _physics_process(delta: float) -> void:
	if showcase:
		return
	if keeper.alive and not keeper.frozen:
		seconds += delta
	if keeper.position.y > _size.y * TILE + 80.0:
		# A keeper without a flame lies still in the pit instead of falling for ever.
		keeper.position.y = _size.y * TILE + 81.0
		_swallow()


func _process(delta: float) -> void:
	_age += delta
	_shake = move_toward(_shake, 0.0, delta * 60.0)
	_camera.offset = Vector2(sin(_age * 71.0), cos(_age * 57.0)) * _shake
	_peek_time = maxf(_peek_time - delta, 0.0)
	_camera.position = _camera.position.lerp(_camera_goal(), minf(delta * (4.0 if _peek_time > 0.0 else 6.5), 1.0))
	_backdrop.follow(_camera.position)
	_light.dawn = move_toward(_light.dawn, _share_lit(), delta * 0.5)
	_light.refresh(_camera.position, _lights())


func _lights() -> Array[Vector4]:
	var lights: Array[Vector4] = []
	for torch: Torch in torches:
		if torch.lit:
			lights.append(torch.light())
	for at: Vector2 in _lava:
		if absf(at.x - _camera.position.x) < VIEW.x * 0.6:
			lights.append(Vector4(at.x, at.y, 270.0 + 14.0 * sin(_age * 3.0 + at.x), 0.6))
	if door:
		lights.append(door.light())
	if keeper.alive:
		var share: float = keeper.flame / Keeper.FULL
		var flicker: float = sin(_age * 14.0) * (8.0 if share > 0.3 else 26.0)
		var at: Vector2 = keeper.light_position()
		lights.append(Vector4(at.x, at.y, 250.0 + 370.0 * share + flicker, 0.75 + 0.4 * share))
	return lights


func _share_lit() -> float:
	return float(torches_lit()) / maxf(torches.size(), 1.0)


func _camera_goal() -> Vector2:
	var goal: Vector2 = keeper.position + Vector2(clampf(keeper.velocity.x * 0.35, -190.0, 190.0), -150.0)
	if _peek_time > 0.0:
		goal = _peek
	if showcase:
		goal = Vector2(_size) * TILE * 0.5
	var half: Vector2 = VIEW * 0.5
	var area := Vector2(_size) * TILE
	return Vector2(clampf(goal.x, half.x, maxf(area.x - half.x, half.x)), clampf(goal.y, half.y, maxf(area.y - half.y, half.y)))


# ---- what happens -----------------------------------------------------------------------------------------------

func _on_torch_woken(torch: Torch) -> void:
	_last_torch = torch
	_return_to = torch.position
	_shake = 12.0
	keeper.flame = Keeper.FULL
	Fx.caption(_things, torch.position + Vector2(0, -110), "Torch lit!", Color(1.0, 0.85, 0.4))
	if torches_lit() == torches.size():
		noted.emit("All torches burn. The door is open!", Art.tile("doorClosed_mid"))
		_look_at(door.position, 1.5)
		door.open()
	else:
		noted.emit("Torch %d of %d burns. Your flame is full." % [torches_lit(), torches.size()], Art.tile("torch1"))


func _on_gem_taken(_pickup: Pickup) -> void:
	gems += 1


func _on_key_taken(_pickup: Pickup) -> void:
	has_key = true
	noted.emit("The golden key! It fits the gate in the east.", Art.item("keyYellow"))


func _on_lever_pulled() -> void:
	for gate: Gate in _gates:
		if not gate.locked:
			_look_at(gate.middle(), 1.4)
			_shake = 10.0
			gate.open()
	noted.emit("Stone grinds on stone. A gate has risen.", Art.tile("leverRight"))


func _on_gate_touched(body: Node2D, gate: Gate) -> void:
	if not body is Keeper or gate.is_open:
		return
	if has_key:
		has_key = false
		_shake = 14.0
		gate.open()
		noted.emit("The lock gives way.", Art.item("keyYellow"))
	else:
		noted.emit("Locked. A golden key must be near.", Art.tile("lockYellow"))


func _on_door_entered() -> void:
	keeper.frozen = true
	var tween: Tween = create_tween()
	tween.tween_property(keeper, "position:x", door.position.x, 0.25)
	tween.tween_property(keeper, "modulate:a", 0.0, 0.3)
	tween.tween_callback(_finish)


func _finish() -> void:
	var stars: Array[bool] = [true, gems == gem_total, keeper.flame >= 50.0 and not rekindled]
	cleared.emit({"stars": stars, "gems": gems, "gem_total": gem_total, "flame": int(ceilf(keeper.flame)),
			"torches": torches.size(), "seconds": seconds, "rekindled": rekindled})


## Pits and lava: the dark takes a share of the flame and gives the keeper back at the last torch.
func _swallow() -> void:
	if _lost_footing or not keeper.alive:
		return
	_lost_footing = true
	_shake = 16.0
	keeper.spend(FALL_COST)
	Fx.burst(_things, keeper.position.clamp(Vector2.ZERO, Vector2(_size) * TILE), Art.dot(), Color(1.0, 0.5, 0.2), 24, 620.0, 1.2)
	if not keeper.alive:
		keeper.velocity = Vector2.ZERO
		return
	keeper.place(_return_to)
	Fx.caption(_things, _return_to + Vector2(0, -110), "-%d flame" % int(FALL_COST), Color(1.0, 0.5, 0.35))
	noted.emit("The last torch calls you back.", Art.tile("torch1"))
	# The lava reports her for a step longer than she is in it.
	get_tree().create_timer(0.3, false, true).timeout.connect(func() -> void: _lost_footing = false)


## The camera shows what has just changed elsewhere; until it is back, nothing can hurt the keeper.
func _look_at(at: Vector2, time: float) -> void:
	_peek = at
	_peek_time = time
	keeper.frozen = true
	get_tree().create_timer(time, false, true).timeout.connect(func() -> void: keeper.frozen = false)


# ---- building ---------------------------------------------------------------------------------------------------

func _place(key: String, cell: Vector2i) -> void:
	var at: Vector2 = _spot(cell)
	match key:
		"#":
			_ground.set_cell(cell, _tiles.id(mood.tiles + _ground_part(cell)), Vector2i.ZERO, _depth(cell))
		"=":
			_ground.set_cell(cell, _tiles.id(mood.tiles + _ledge_part(cell)), Vector2i.ZERO)
		"H":
			_ladders[cell] = true
			_ground.set_cell(cell, _tiles.id("ladderMid" if _is("H", cell + Vector2i.UP) else "ladderTop"), Vector2i.ZERO)
		"P":
			_start = at + Vector2(0, TILE / 2.0 - Keeper.HALF_HEIGHT)
			_return_to = _start
		"D":
			door = _spawn(ExitDoor.new(), at) as ExitDoor
			door.entered.connect(_on_door_entered)
		"T":
			var torch := _spawn(Torch.new(), at) as Torch
			torch.woken.connect(_on_torch_woken)
			torches.append(torch)
			if showcase:
				torch.wake(true)
		"g":
			var gem: Pickup = _spawn_pickup(at, Art.item(mood.gem), mood.accent)
			gem.is_gem = true
			gem.taken.connect(_on_gem_taken)
			gem_total += 1
		"k":
			_spawn_pickup(at, Art.item("keyYellow"), Color(1.0, 0.85, 0.3)).taken.connect(_on_key_taken)
		"/":
			(_spawn(Lever.new(), at) as Lever).pulled.connect(_on_lever_pulled)
		"L", "|":
			if not _is(key, cell + Vector2i.UP):
				_spawn_gate(at, key, cell)
		"^":
			_decor.set_cell(cell, _tiles.id("spikes"), Vector2i.ZERO)
			_spawn_hazard(at + Vector2(0, 36), Vector2(100, 44), false)
		"~":
			var top: bool = not _is("~", cell + Vector2i.UP)
			_decor.set_cell(cell, _tiles.id("lavaTop_high" if top else "lava"), Vector2i.ZERO)
			if top:
				_lava.append(at)
				_spawn_hazard(at + Vector2(0, 50), Vector2(TILE, 60), true)
		"c":
			var crawler := Crawler.new()
			crawler.picture = mood.crawler
			_spawn(crawler, at)
		"m":
			_spawn(Moth.new(), at)
		"f":
			_spawn(Hopper.new(), at)
		"s":
			_spawn(Saw.new(), at + Vector2(0, TILE / 2.0))
		"v":
			var saw := Saw.new()
			saw.hanging = true
			saw.travel = 250.0
			_spawn(saw, at)
		"-":
			var ferry := MovingPlatform.new()
			ferry.travel = Vector2(3.4 * TILE, 0)
			_spawn(ferry, at + Vector2(0, TILE / 2.0))
		"!":
			var lift := MovingPlatform.new()
			lift.travel = Vector2(0, -4.2 * TILE)
			lift.seconds = 5.0
			_spawn(lift, at + Vector2(-TILE, TILE / 2.0 - 40.0))
		"1", "2", "3":
			var post := SignPost.new()
			post.text = mood.hints[int(key) - 1]
			post.spoke.connect(hinted.emit)
			_spawn(post, at)
		"A", "O", "U":
			_spawn_villager(key, at)
		"y":
			_decor.set_cell(cell, _tiles.id("brickBrown"), Vector2i.ZERO)
			_spawn_window(at)
		_:
			_place_decor(key, cell)


func _place_decor(key: String, cell: Vector2i) -> void:
	var names: Dictionary[String, String] = {"b": "bush", "i": "grass_sprout", "n": "mushroomRed", "r": "rock", "w": "snow_pile",
		"p": "plantPurple", "B": "brickBrown", "q": "grassHill_right", "e": "grassHill_left", "d": "doorClosed_mid", "x": "boxCrate"}
	if names.has(key):
		_decor.set_cell(cell, _tiles.id(names[key]), Vector2i.ZERO)


## Details that need no author: worn walls behind the ledges, moss and growth on the ground, stone teeth above.
func _dress() -> void:
	if index == CaveData.VILLAGE:
		return
	var growth: Array = [["grass_sprout", "bush", "mushroomRed", "rock"], ["snow_pile", "rock", "snow_pile", "rock"],
		["plantPurple", "rock", "plantPurple", "mushroomRed"], ["grass_sprout", "bush", "mushroomRed", "rock"]][index]
	for row: int in _size.y:
		for column: int in _size.x:
			var cell := Vector2i(column, row)
			if _solid(cell):
				continue
			var roll: int = posmod(column * 37 + row * 61 + column * row * 13, 19)
			if _walled(cell):
				_wall.set_cell(cell, _tiles.id(mood.tiles + "Center"), Vector2i.ZERO)
			if _solid(cell + Vector2i.UP) and roll % 3 != 0:
				_hanging.set_cell(cell, _tiles.id("spikes"), Vector2i.ZERO, CaveTiles.FLIPPED)
			if _solid(cell + Vector2i.DOWN) and _rows[row][column] == "." and roll % 3 == 1:
				_decor.set_cell(cell, _tiles.id(growth[(column + row) % growth.size()]), Vector2i.ZERO,
						CaveTiles.MIRRORED if roll > 9 else 0)


## The back wall has wide, ragged openings through which the depth of the cave can be seen.
func _walled(cell: Vector2i) -> bool:
	return sin(cell.x * 0.46 + 0.9) + sin(cell.y * 0.62 + cell.x * 0.19) > -0.35


func _add_keeper() -> void:
	keeper = KEEPER_SCENE.instantiate()
	keeper.ladder_at = func(point: Vector2) -> bool: return _ladders.has(_ground.local_to_map(point))
	keeper.drain = mood.drain
	keeper.slippery = mood.slippery
	keeper.frozen = showcase
	keeper.position = _start
	keeper.flame_died.connect(flame_out.emit)
	_things.add_child(keeper)
	keeper.visible = _start != Vector2.ZERO
	if not keeper.visible:
		# A place without a start has no keeper: the view rests on its middle.
		keeper.position = Vector2(_size) * TILE * 0.5
		keeper.set_physics_process(false)
		keeper.flame = 0.0
		keeper.alive = false
	for child: Node in _things.get_children():
		if child is Creature:
			(child as Creature).keeper = keeper


func _add_motes() -> void:
	var motes := CPUParticles2D.new()
	motes.texture = Art.dot()
	motes.amount = 46
	motes.lifetime = 7.0
	motes.preprocess = 7.0
	motes.emission_shape = CPUParticles2D.EMISSION_SHAPE_RECTANGLE
	motes.emission_rect_extents = VIEW * 0.55
	motes.gravity = Vector2(0, 14.0 if mood.slippery else -5.0)
	motes.direction = Vector2(1, 0.2)
	motes.spread = 80.0
	motes.initial_velocity_min = 10.0
	motes.initial_velocity_max = 40.0
	motes.scale_amount_min = 0.15
	motes.scale_amount_max = 0.5
	motes.color = mood.mote
	motes.local_coords = false
	motes.z_index = 58
	_camera.add_child(motes)


func _spawn(node: Node2D, at: Vector2) -> Node2D:
	node.position = at
	_things.add_child(node)
	return node


func _spawn_pickup(at: Vector2, picture: Texture2D, tint: Color) -> Pickup:
	var pickup := Pickup.new()
	pickup.picture = picture
	pickup.tint = tint
	return _spawn(pickup, at) as Pickup


func _spawn_hazard(at: Vector2, extent: Vector2, deadly: bool) -> void:
	var hazard := Hazard.new()
	hazard.extent = extent
	hazard.deadly = deadly
	hazard.swallowed.connect(_swallow)
	_spawn(hazard, at)


func _spawn_gate(at: Vector2, key: String, cell: Vector2i) -> void:
	var gate := Gate.new()
	gate.locked = key == "L"
	gate.height = 1
	while _is(key, cell + Vector2i(0, gate.height)):
		gate.height += 1
	_spawn(gate, at)
	_gates.append(gate)
	if gate.locked:
		var feeler := Area2D.new()
		feeler.collision_layer = 0
		feeler.collision_mask = 2
		var shape := CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		(shape.shape as RectangleShape2D).size = Vector2(TILE * 1.3, TILE * gate.height)
		feeler.add_child(shape)
		feeler.body_entered.connect(_on_gate_touched.bind(gate))
		_spawn(feeler, gate.middle())


func _spawn_villager(key: String, at: Vector2) -> void:
	var pictures: Dictionary[String, String] = {"A": "malePerson_idle", "O": "femalePerson_idle", "U": "maleAdventurer_idle"}
	var sprite := Sprite2D.new()
	sprite.texture = load("res://art/villagers/%s.png" % pictures[key])
	sprite.scale = Vector2(1.22, 1.22)
	sprite.flip_h = key != "O"
	_spawn(sprite, at + Vector2(0, -14))
	# A cheer, each in their own rhythm.
	var tween: Tween = sprite.create_tween().set_loops()
	tween.tween_interval(0.35 + 0.16 * pictures.keys().find(key))
	tween.tween_property(sprite, "position:y", sprite.position.y - 46.0, 0.2).set_trans(Tween.TRANS_QUAD).set_ease(Tween.EASE_OUT)
	tween.tween_property(sprite, "position:y", sprite.position.y, 0.2).set_trans(Tween.TRANS_QUAD).set_ease(Tween.EASE_IN)


func _spawn_window(at: Vector2) -> void:
	var frame := Sprite2D.new()
	frame.texture = Art.tile("boxCrate")
	frame.scale = Vector2(0.66, 0.66)
	frame.modulate = Color(0.6, 0.5, 0.5)
	_spawn(frame, at)
	var pane := Sprite2D.new()
	pane.texture = Art.vertical(Color(1.0, 0.9, 0.55), Color(1.0, 0.62, 0.25))
	pane.scale = Vector2(58.0 / 16.0, 58.0 / 256.0)
	# Above the dark: somebody is awake in there.
	pane.z_index = 51
	_spawn(pane, at)
	var shine := Sprite2D.new()
	shine.texture = Art.glow()
	shine.material = Art.additive()
	shine.modulate = Color(1.0, 0.7, 0.3, 0.4)
	shine.z_index = 52
	_spawn(shine, at)


func _spot(cell: Vector2i) -> Vector2:
	return (Vector2(cell) + Vector2(0.5, 0.5)) * TILE


func _is(key: String, cell: Vector2i) -> bool:
	return cell.x >= 0 and cell.y >= 0 and cell.x < _size.x and cell.y < _size.y and _rows[cell.y][cell.x] == key


## Beyond the edge of the map there is more rock.
func _solid(cell: Vector2i) -> bool:
	return _is("#", cell) or cell.x < 0 or cell.y < 0 or cell.x >= _size.x or cell.y >= _size.y


func _ground_part(cell: Vector2i) -> String:
	if _solid(cell + Vector2i.UP):
		return "Center"
	var left: bool = _solid(cell + Vector2i.LEFT)
	var right: bool = _solid(cell + Vector2i.RIGHT)
	if left and right:
		return "Mid"
	return "Right" if left else ("Left" if right else "")


func _ledge_part(cell: Vector2i) -> String:
	var left: bool = _is("=", cell + Vector2i.LEFT) or _is("H", cell + Vector2i.LEFT)
	var right: bool = _is("=", cell + Vector2i.RIGHT) or _is("H", cell + Vector2i.RIGHT)
	if left and right:
		return "Half_mid"
	return "Half_right" if left else ("Half_left" if right else "Half")


## 0 at the surface, up to 2 where no open cell is near.
func _depth(cell: Vector2i) -> int:
	for distance: int in [1, 2]:
		for row: int in range(-distance, distance + 1):
			for column: int in range(-distance, distance + 1):
				if not _solid(cell + Vector2i(column, row)):
					return distance - 1
	return 2
