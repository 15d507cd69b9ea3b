class_name BoardView
extends Node2D
## Draws one pond and plays back what a slide did to it, cell by cell.

signal settled
signal happened(event: Dictionary)

const GLIDE_CELLS_PER_SECOND := 12.0
const PAUSE_AFTER_SINKING := 0.55
const ICE_TINT := Color(0.93, 1.09, 1.24)

var busy: bool = false

var _rules: PondRules
var _size: float = 72.0
var _origin: Vector2
var _home: Vector2
var _ground: Node2D
var _things: Node2D
var _courier: CourierView
var _parcels: Array[ParcelView] = []
var _thin: Dictionary[Vector2i, ThinIceView] = {}
var _keys: Dictionary[Vector2i, Node2D] = {}
var _locks: Dictionary[Vector2i, Sprite2D] = {}
var _gates: Dictionary[Vector2i, GateView] = {}
var _switches: Dictionary[Vector2i, Sprite2D] = {}
var _flags: Array[Sprite2D] = []
var _toggled: int = 0

var _queue: Array[Dictionary] = []
var _direction: Vector2i
var _mover: Node2D
var _from: Vector2
var _to: Vector2
var _progress: float = 1.0
var _pause: float = 0.0
var _sank: bool = false
var _shake: float = 0.0
var _time: float = 0.0


static func cell_size(rules: PondRules, area: Rect2) -> float:
	return minf(88.0, minf(area.size.x / rules.width, area.size.y / rules.height))


func build(rules: PondRules, area: Rect2) -> void:
	_rules = rules
	_size = cell_size(rules, area)
	_origin = area.get_center() - Vector2(rules.width, rules.height) * _size / 2.0
	_home = position
	_ground = Node2D.new()
	add_child(_ground)
	_things = Node2D.new()
	_things.y_sort_enabled = true
	add_child(_things)
	for y: int in rules.height:
		for x: int in rules.width:
			_lay_ground(Vector2i(x, y))
	for y: int in rules.height:
		for x: int in rules.width:
			_lay_shore(Vector2i(x, y))
			_raise_thing(Vector2i(x, y))
	for i: int in rules.parcel_colors.size():
		var parcel := ParcelView.new()
		_things.add_child(parcel)
		parcel.setup(rules.parcel_colors[i], _size)
		_parcels.append(parcel)
	_courier = CourierView.new()
	_things.add_child(_courier)
	_courier.setup(_size)
	show_state(rules.start)


func point(cell: Vector2i) -> Vector2:
	return _origin + (Vector2(cell) + Vector2(0.5, 0.5)) * _size


func courier_point() -> Vector2:
	return _courier.position


## Jumps to a moment without playing it: start, undo, restart.
func show_state(state: PondState) -> void:
	_queue.clear()
	busy = false
	_progress = 1.0
	_pause = 0.0
	_sank = false
	_toggled = state.toggled
	_courier.position = _foot(state.courier)
	_courier.rest()
	for i: int in _parcels.size():
		_parcels[i].visible = state.parcels[i] != PondState.NOWHERE
		if _parcels[i].visible:
			_parcels[i].position = _foot(state.parcels[i])
			_parcels[i].rest(state.delivered & (1 << i) != 0)
	for cell: Vector2i in _thin:
		_thin[cell].rest(_spent(state, cell))
	for cell: Vector2i in _keys:
		_keys[cell].visible = not _spent(state, cell)
	for cell: Vector2i in _locks:
		_locks[cell].visible = not _spent(state, cell)
		_locks[cell].scale = Vector2.ONE * _size * 0.94 / 128.0
		_locks[cell].modulate.a = 1.0
	for cell: Vector2i in _gates:
		_gates[cell].rest(_rules.gate_shut(cell, state))
	_show_switches()


func play(events: Array[Dictionary], direction: Vector2i) -> void:
	_queue = events.duplicate()
	_direction = direction
	busy = true


func cheer() -> void:
	_courier.cheer()
	for kind: String in ["gemRed", "gemGreen", "gemYellow", "star"] as Array[String]:
		Burst.at(self, _courier.position - Vector2(0, _size * 0.6), Art.item(kind), 8, _size * 0.5, Color.WHITE, 330.0, 380.0)


## A little cloud where the courier reappears after an undo or a restart.
func puff() -> void:
	Burst.at(self, _courier.position - Vector2(0, _size * 0.3), Art.dot(), 16, _size * 0.34, Color(0.8, 0.92, 1.0), 150.0, 20.0)


func _process(delta: float) -> void:
	_time += delta
	for i: int in _flags.size():
		_flags[i].texture = Art.item("flag%s%d" % [_flags[i].get_meta("color"), 1 + int(_time * 3.0 + i) % 2])
	for cell: Vector2i in _keys:
		_keys[cell].position.y = _foot(cell).y - _size * 0.1 + sin(_time * 3.0 + cell.x) * _size * 0.06
	_shake = maxf(0.0, _shake - delta * 22.0)
	position = _home + Vector2(sin(_time * 71.0), cos(_time * 83.0)) * _shake
	if busy:
		_advance(delta)


func _advance(delta: float) -> void:
	if _pause > 0.0:
		_pause -= delta
		return
	var time: float = delta * GLIDE_CELLS_PER_SECOND
	while time > 0.0:
		if _progress < 1.0:
			var used: float = minf(time, 1.0 - _progress)
			_progress += used
			time -= used
			_mover.position = _from.lerp(_to, _progress)
			continue
		if _queue.is_empty():
			_finish()
			return
		_begin(_queue.pop_front())
		if _pause > 0.0:
			return


func _begin(event: Dictionary) -> void:
	var who: int = event["who"]
	var cell: Vector2i = event["cell"]
	var at: Vector2 = point(cell)
	match event["event"]:
		PondRules.Event.STEP:
			_mover = _courier if who == PondRules.COURIER else _parcels[who] as Node2D
			if who == PondRules.COURIER:
				_courier.glide(_direction)
			_from = _mover.position
			_to = _foot(cell)
			_progress = 0.0
		PondRules.Event.BUMP:
			_courier.bump(_direction)
			_shake = 3.0
		PondRules.Event.CRACK:
			_thin[cell].shatter()
			Burst.at(self, at, Art.scenery("meteorGrey_tiny1"), 10, _size * 0.2, Color(1.3, 1.6, 1.9), 150.0)
		PondRules.Event.TAKE_KEY:
			_keys[cell].visible = false
			Burst.at(self, at, Art.item("star"), 10, _size * 0.5, Color.WHITE, 160.0, 120.0)
		PondRules.Event.UNLOCK:
			_open_lock(cell)
		PondRules.Event.TOGGLE:
			_flip_switch(cell)
		PondRules.Event.PUSH:
			_courier.land()
			_parcels[who].knock()
			_shake = 5.0
			Burst.at(self, at - Vector2(_direction) * _size * 0.4, Art.dot(), 10, _size * 0.28, Color.WHITE, 160.0, 60.0)
		PondRules.Event.DELIVER:
			_parcels[who].celebrate()
			_shake = 4.0
			Burst.at(self, at, Art.item("gem" + Art.FLAG_NAMES[_rules.parcel_colors[who]]), 16, _size * 0.5, Color.WHITE, 260.0)
		PondRules.Event.SINK:
			if who == PondRules.COURIER:
				_courier.sink()
			else:
				_parcels[who].sink()
			_shake = 9.0
			Burst.at(self, at, Art.dot(), 26, _size * 0.3, Color(0.75, 0.93, 1.0), 260.0, 520.0)
			_pause = PAUSE_AFTER_SINKING
			_sank = true
		PondRules.Event.REST:
			Burst.at(self, at, Art.dot(), 14, _size * 0.32, Color.WHITE, 130.0, 120.0)
	happened.emit(event)


func _finish() -> void:
	busy = false
	var last_mover: Node2D = _mover
	if _sank:
		_sank = false
	elif last_mover == _courier:
		_courier.land()
		Burst.at(self, _courier.position, Art.dot(), 8, _size * 0.22, Color.WHITE, 110.0, 80.0)
	elif last_mover is ParcelView:
		Burst.at(self, last_mover.position, Art.dot(), 8, _size * 0.22, Color.WHITE, 110.0, 80.0)
	_mover = null
	settled.emit()


func _open_lock(cell: Vector2i) -> void:
	var lock: Sprite2D = _locks[cell]
	var tween: Tween = create_tween().set_parallel()
	tween.tween_property(lock, "scale", lock.scale * 1.5, 0.3)
	tween.tween_property(lock, "modulate:a", 0.0, 0.3)
	Burst.at(self, point(cell), Art.item("key" + Art.KEY_NAMES[_rules.color(cell)]), 6, _size * 0.6, Color.WHITE, 180.0)
	_shake = 4.0


func _flip_switch(cell: Vector2i) -> void:
	var color: int = _rules.color(cell)
	_toggled ^= 1 << color
	_show_switches()
	Burst.at(self, point(cell), Art.dot(), 10, _size * 0.25, Art.GEM_COLORS[1 if color == 0 else 0], 150.0, 60.0)
	for gate_cell: Vector2i in _gates:
		if _rules.color(gate_cell) == color:
			var toggled: bool = _toggled & (1 << color) != 0
			_gates[gate_cell].swing(toggled == (_rules.tile(gate_cell) == PondRules.Tile.GATE_OPEN))
			Burst.at(self, point(gate_cell), Art.dot(), 8, _size * 0.25, Color.WHITE, 120.0, 60.0)


func _show_switches() -> void:
	for cell: Vector2i in _switches:
		var color: int = _rules.color(cell)
		var pressed: String = "_pressed" if _toggled & (1 << color) != 0 else ""
		_switches[cell].texture = Art.tile("switch%s%s" % [Art.SWITCH_NAMES[color], pressed])


func _spent(state: PondState, cell: Vector2i) -> bool:
	return state.spent & (1 << _rules.changing[cell]) != 0


## Where something in this cell touches the ice; also what the depth order goes by.
func _foot(cell: Vector2i) -> Vector2:
	return point(cell) + Vector2(0, _size * 0.2)


func _lay_ground(cell: Vector2i) -> void:
	var at: Vector2 = point(cell)
	if not _rules.is_floor(cell):
		if _rules.is_floor(cell + Vector2i.DOWN):
			# Only a bank above open ice shows its stone face; all others melt into the snow field.
			_ground.add_child(Art.sprite(_face_picture(cell), at, _size + 0.5))
		return
	_ground.add_child(Art.sprite(Art.tile("snowCenter"), at, _size + 0.5, ICE_TINT))
	match _rules.tile(cell):
		PondRules.Tile.THIN:
			var thin := ThinIceView.new()
			thin.position = at
			_ground.add_child(thin)
			thin.setup(_size, cell)
			_thin[cell] = thin
		PondRules.Tile.ICE:
			if Art.scatter(cell.x * 3, cell.y * 7) > 0.72:
				var glint: Sprite2D = Art.sprite(Art.dot(), at, _size * 0.9, Color(1, 1, 1, 0.5))
				glint.scale.y *= 0.16
				glint.rotation = -0.6
				_ground.add_child(glint)
	if _rules.flags.has(cell):
		var tint: Color = Art.GEM_COLORS[_rules.flags[cell]]
		_ground.add_child(Art.sprite(Art.tile("snowCenter_rounded"), at, _size * 0.92, tint.lightened(0.25)))
		_ground.add_child(Art.sprite(Art.tile("snowCenter_rounded"), at, _size * 0.72, Color(1.25, 1.28, 1.32)))


## Two plump mounds, one before the other, each with a blue shadow below it.
func _lay_powder(at: Vector2) -> void:
	var patch: Sprite2D = Art.sprite(Art.dot(), at + Vector2(0, _size * 0.22), _size * 1.25, Color(0.3, 0.5, 0.8, 0.5))
	patch.scale.y *= 0.55
	_ground.add_child(patch)
	for i: int in 2:
		var offset := Vector2([-0.05, 0.04][i], [-0.2, 0.1][i]) * _size
		for shade: int in 2:
			var tint: Color = Color(0.42, 0.62, 0.88) if shade == 0 else Color.WHITE
			var mound: Sprite2D = Art.sprite(Art.drift(), at + offset + Vector2(0, (1 - shade) * _size * 0.07), _size * [0.86, 1.02][i], tint)
			mound.scale.y *= 2.5
			mound.flip_h = i == 1
			_ground.add_child(mound)


## Rounded where the run of faces ends.
func _face_picture(cell: Vector2i) -> Texture2D:
	var at_left: bool = _is_face(cell + Vector2i.LEFT)
	var at_right: bool = _is_face(cell + Vector2i.RIGHT)
	if at_left and at_right:
		return Art.tile("snowMid")
	return Art.tile("snowRight") if at_left else Art.tile("snowLeft") if at_right else Art.tile("snow")


func _is_face(cell: Vector2i) -> bool:
	return not _rules.is_floor(cell) and _rules.is_floor(cell + Vector2i.DOWN)


## Soft drifts and shadows where snow meets ice, so that the pond does not look cut out.
func _lay_shore(cell: Vector2i) -> void:
	if not _rules.is_floor(cell):
		return
	var at: Vector2 = point(cell)
	if not _rules.is_floor(cell + Vector2i.UP):
		var shade: Sprite2D = Art.sprite(Art.shore(), at - Vector2(0, _size * 0.36), _size)
		shade.scale = Vector2(_size / 8.0, _size * 0.28 / 16.0)
		_ground.add_child(shade)
	for side: Vector2i in [Vector2i.LEFT, Vector2i.RIGHT, Vector2i.DOWN] as Array[Vector2i]:
		if _rules.is_floor(cell + side):
			continue
		# Overlapping drifts of uneven size, so that no straight edge shows between them.
		for half: int in 2:
			var along: Vector2 = Vector2(side).orthogonal() * (half - 0.5) * 0.5
			var wide: float = 0.95 + 0.3 * Art.scatter(cell.x * 5 + half, cell.y * 3 + side.x)
			var snow: Sprite2D = Art.sprite(Art.drift(), at + (Vector2(side) * 0.41 + along) * _size, _size * wide)
			snow.rotation = Vector2(side).angle() - PI / 2.0
			snow.flip_h = half == 0
			snow.scale.y *= 0.95
			_ground.add_child(snow)


func _raise_thing(cell: Vector2i) -> void:
	var foot: Vector2 = _foot(cell)
	match _rules.tile(cell):
		PondRules.Tile.POWDER:
			_lay_powder(point(cell))
		PondRules.Tile.TREE:
			_things.add_child(Art.pine(point(cell), _size * 1.04))
		PondRules.Tile.ROCK:
			_things.add_child(Art.boulder(point(cell), _size * 0.96, cell.x + cell.y * 2))
		PondRules.Tile.LOCK:
			_locks[cell] = Art.sprite(Art.tile("lock" + Art.KEY_NAMES[_rules.color(cell)]), point(cell), _size * 0.94)
			_things.add_child(_locks[cell])
		PondRules.Tile.GATE_SHUT, PondRules.Tile.GATE_OPEN:
			_gates[cell] = GateView.new()
			_gates[cell].position = point(cell) + Vector2(0, _size * 0.12)
			_things.add_child(_gates[cell])
			_gates[cell].setup(_rules.color(cell), _size)
		PondRules.Tile.SWITCH:
			_switches[cell] = Art.sprite(Art.tile("switchGreen"), point(cell) - Vector2(0, _size * 0.16), _size * 0.84)
			_ground.add_child(_switches[cell])
	if _rules.flags.has(cell):
		var name: String = Art.FLAG_NAMES[_rules.flags[cell]]
		var flag: Sprite2D = Art.sprite(Art.item("flag%s1" % name), foot + Vector2(_size * 0.06, -_size * 0.36), _size * 0.8)
		flag.set_meta("color", name)
		# Behind a parcel that is standing on the same cell.
		flag.offset.y = 24
		flag.position.y -= 24 * flag.scale.y
		_things.add_child(flag)
		_flags.append(flag)
	if _rules.keys.has(cell):
		var key := Node2D.new()
		key.position = foot
		key.add_child(Art.sprite(Art.dot(), Vector2(0, -_size * 0.1), _size * 1.0, Color(1, 0.95, 0.6, 0.55)))
		key.add_child(Art.sprite(Art.item("key" + Art.KEY_NAMES[_rules.keys[cell]]), Vector2(0, -_size * 0.1), _size * 1.05))
		_things.add_child(key)
		_keys[cell] = key
