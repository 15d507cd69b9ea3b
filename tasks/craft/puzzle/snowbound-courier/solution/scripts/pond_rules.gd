class_name PondRules
extends RefCounted
## What a pond is made of and what one slide does to it. Knows nothing about drawing,
## so the board and the route finder can never disagree about the rules.

enum Tile {BANK, TREE, ROCK, ICE, POWDER, THIN, LOCK, GATE_SHUT, GATE_OPEN, SWITCH}
## What happens during a slide, in order; the board plays these back one after another.
enum Event {STEP, BUMP, CRACK, TAKE_KEY, UNLOCK, TOGGLE, PUSH, DELIVER, SINK, REST}

const COURIER := -1
const DIRECTIONS: Array[Vector2i] = [Vector2i.LEFT, Vector2i.RIGHT, Vector2i.UP, Vector2i.DOWN]
## Colour numbers: locks and keys use 0 yellow, 1 red; switches and gates 0 green, 1 red;
## parcels and flags 0 red, 1 green, 2 yellow.
const LEGEND: Dictionary[String, Array] = {
	"#": [Tile.BANK, 0], "T": [Tile.TREE, 0], "O": [Tile.ROCK, 0],
	"_": [Tile.POWDER, 0], "~": [Tile.THIN, 0],
	"K": [Tile.LOCK, 0], "J": [Tile.LOCK, 1],
	"g": [Tile.SWITCH, 0], "r": [Tile.SWITCH, 1],
	"G": [Tile.GATE_SHUT, 0], "R": [Tile.GATE_SHUT, 1],
	"h": [Tile.GATE_OPEN, 0], "q": [Tile.GATE_OPEN, 1],
}

var width: int
var height: int
var start := PondState.new()
var parcel_colors: PackedInt32Array = []
var flags: Dictionary[Vector2i, int] = {}
var keys: Dictionary[Vector2i, int] = {}
## Cells whose condition changes during play, numbered so that a state can keep them as bits.
var changing: Dictionary[Vector2i, int] = {}

var _tiles: Dictionary[Vector2i, int] = {}
var _colors: Dictionary[Vector2i, int] = {}


func _init(rows: Array) -> void:
	height = rows.size()
	width = (rows[0] as String).length()
	for y: int in height:
		for x: int in width:
			_read_cell((rows[y] as String)[x], Vector2i(x, y))


func tile(cell: Vector2i) -> int:
	return _tiles.get(cell, Tile.BANK)


func color(cell: Vector2i) -> int:
	return _colors.get(cell, 0)


func is_floor(cell: Vector2i) -> bool:
	return tile(cell) != Tile.BANK


func is_gate(cell: Vector2i) -> bool:
	return tile(cell) == Tile.GATE_SHUT or tile(cell) == Tile.GATE_OPEN


func gate_shut(cell: Vector2i, state: PondState) -> bool:
	var toggled: bool = state.toggled & (1 << color(cell)) != 0
	match tile(cell):
		Tile.GATE_SHUT:
			return not toggled
		Tile.GATE_OPEN:
			return toggled
	return false


func is_won(state: PondState) -> bool:
	return state.delivered == (1 << parcel_colors.size()) - 1


## Changes `state` by one slide. Returns the events; nothing moved when the first is a BUMP.
func slide(state: PondState, direction: Vector2i) -> Array[Dictionary]:
	var events: Array[Dictionary] = []
	var moved: bool = false
	while true:
		var next: Vector2i = state.courier + direction
		var parcel: int = state.parcels.find(next)
		if parcel >= 0:
			moved = _push(state, parcel, direction, events) or moved
			break
		if not _may_enter(state, next, true, events):
			break
		_leave(state, state.courier, events)
		state.courier = next
		moved = true
		events.append({"event": Event.STEP, "who": COURIER, "cell": next})
		_take_key(state, next, events)
		if not _keeps_gliding(state, COURIER, next, events):
			break
	if not moved:
		return [{"event": Event.BUMP, "who": COURIER, "cell": state.courier + direction}]
	return events


func _push(state: PondState, parcel: int, direction: Vector2i, events: Array[Dictionary]) -> bool:
	if state.delivered & (1 << parcel) != 0:
		return false
	var moved: bool = false
	while true:
		var here: Vector2i = state.parcels[parcel]
		var next: Vector2i = here + direction
		if state.parcels.has(next) or not _may_enter(state, next, false, events):
			break
		if not moved:
			events.append({"event": Event.PUSH, "who": parcel, "cell": here})
		_leave(state, here, events)
		state.parcels[parcel] = next
		moved = true
		events.append({"event": Event.STEP, "who": parcel, "cell": next})
		if flags.get(next, -1) == parcel_colors[parcel]:
			state.delivered |= 1 << parcel
			events.append({"event": Event.DELIVER, "who": parcel, "cell": next})
			break
		if not _keeps_gliding(state, parcel, next, events):
			break
	return moved


func _may_enter(state: PondState, cell: Vector2i, is_courier: bool, events: Array[Dictionary]) -> bool:
	match tile(cell):
		Tile.BANK, Tile.TREE, Tile.ROCK:
			return false
		Tile.GATE_SHUT, Tile.GATE_OPEN:
			return not gate_shut(cell, state)
		Tile.LOCK:
			var bit: int = 1 << changing[cell]
			if state.spent & bit != 0:
				return true
			if not is_courier or state.held[color(cell)] == 0:
				return false
			state.held[color(cell)] -= 1
			state.spent |= bit
			events.append({"event": Event.UNLOCK, "who": COURIER, "cell": cell})
	return true


func _leave(state: PondState, cell: Vector2i, events: Array[Dictionary]) -> void:
	if tile(cell) == Tile.THIN:
		state.spent |= 1 << changing[cell]
		events.append({"event": Event.CRACK, "who": COURIER, "cell": cell})


func _take_key(state: PondState, cell: Vector2i, events: Array[Dictionary]) -> void:
	if keys.has(cell) and state.spent & (1 << changing[cell]) == 0:
		state.spent |= 1 << changing[cell]
		state.held[keys[cell]] += 1
		events.append({"event": Event.TAKE_KEY, "who": COURIER, "cell": cell})


func _keeps_gliding(state: PondState, who: int, cell: Vector2i, events: Array[Dictionary]) -> bool:
	match tile(cell):
		Tile.SWITCH:
			state.toggled ^= 1 << color(cell)
			events.append({"event": Event.TOGGLE, "who": who, "cell": cell})
		Tile.POWDER:
			events.append({"event": Event.REST, "who": who, "cell": cell})
			return false
		Tile.THIN:
			if state.spent & (1 << changing[cell]) != 0:
				state.sunk = true
				if who != COURIER:
					state.parcels[who] = PondState.NOWHERE
				events.append({"event": Event.SINK, "who": who, "cell": cell})
				return false
	return true


func _read_cell(key: String, cell: Vector2i) -> void:
	if key in LEGEND:
		_tiles[cell] = LEGEND[key][0]
		_colors[cell] = LEGEND[key][1]
		if _tiles[cell] == Tile.THIN or _tiles[cell] == Tile.LOCK:
			changing[cell] = changing.size()
		return
	_tiles[cell] = Tile.ICE
	if key == "@":
		start.courier = cell
	elif key in "abc":
		start.parcels.append(cell)
		parcel_colors.append("abc".find(key))
	elif key in "ABC":
		flags[cell] = "ABC".find(key)
	elif key in "kj":
		keys[cell] = "kj".find(key)
		changing[cell] = changing.size()
