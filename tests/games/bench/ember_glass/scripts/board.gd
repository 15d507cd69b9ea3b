class_name Board
extends Node2D
## Holds the tiles of a level and traces the light through them.

signal turned
signal solved

const TILE: PackedScene = preload("res://scenes/tile.tscn")
const CELL := 88.0

var _tiles: Dictionary[Vector2i, Tile] = {}
var _hovered: Tile
var _locked: bool = true
# The one scheduled change (unlock or burn); a restart cancels it.
var _pending: Tween

@onready var _holder: Node2D = $Tiles
@onready var _beams: Node2D = $Beams
@onready var _beam_material: ShaderMaterial = preload("res://scenes/beam_material.tres")


func load_level(rows: Array) -> void:
	_locked = true
	_hovered = null
	_tiles.clear()
	for old: Node in _holder.get_children():
		old.queue_free()
	for y: int in Levels.SIZE.y:
		for x: int in Levels.SIZE.x:
			var tile: Tile = TILE.instantiate()
			tile.position = _center(Vector2i(x, y))
			_holder.add_child(tile)
			tile.setup(String(rows[y])[x])
			tile.burn(0.0, 0.04 * (x + y))
			_tiles[Vector2i(x, y)] = tile
	_clear_beams()
	if _pending:
		_pending.kill()
	_pending = create_tween()
	_pending.tween_interval(1.1)
	_pending.tween_callback(_unlock)


func click(at: Vector2) -> void:
	var tile: Tile = _tile_at(at)
	if _locked or tile == null or not tile.can_turn():
		return
	tile.turn()
	turned.emit()
	_trace_light()


func hover(at: Vector2) -> void:
	var tile: Tile = _tile_at(at)
	if tile == _hovered:
		return
	if _hovered:
		_hovered.set_hovered(false)
	_hovered = tile
	if tile:
		tile.set_hovered(true)


## Share of crystals that hold light.
func lit_share() -> float:
	var crystals: int = 0
	var lit: int = 0
	for tile: Tile in _tiles.values():
		if tile.kind == Tile.Kind.CRYSTAL:
			crystals += 1
			lit += int(tile.lit)
	return float(lit) / maxi(crystals, 1)


func _unlock() -> void:
	_locked = false
	_trace_light()


func _center(cell: Vector2i) -> Vector2:
	return (Vector2(cell) + Vector2(0.5, 0.5)) * CELL


func _tile_at(at: Vector2) -> Tile:
	return _tiles.get(Vector2i(((at - position) / CELL).floor()))


func _trace_light() -> void:
	_clear_beams()
	for tile: Tile in _tiles.values():
		tile.set_lit(false)
	# Rays still to follow: start cell and direction. A splitter adds to them.
	var rays: Array[Array] = []
	for cell: Vector2i in _tiles:
		if _tiles[cell].kind == Tile.Kind.EMBER:
			rays.append([cell, _tiles[cell].facing])
	var seen: Dictionary[Vector4i, bool] = {}
	while not rays.is_empty():
		var ray: Array = rays.pop_back()
		_follow(ray[0], ray[1], rays, seen)
	if lit_share() >= 1.0:
		_finish()


func _follow(start: Vector2i, direction: Vector2i, rays: Array[Array], seen: Dictionary[Vector4i, bool]) -> void:
	var points := PackedVector2Array([_center(start)])
	var cell: Vector2i = start + direction
	while _tiles.has(cell):
		var step := Vector4i(cell.x, cell.y, direction.x, direction.y)
		if seen.has(step):
			break
		seen[step] = true
		var tile: Tile = _tiles[cell]
		if tile.kind == Tile.Kind.STONE or tile.kind == Tile.Kind.EMBER:
			break
		tile.set_lit(true)
		if tile.kind == Tile.Kind.CRYSTAL:
			break
		if tile.kind == Tile.Kind.MIRROR:
			points.append(_center(cell))
			direction = tile.reflect(direction)
		elif tile.kind == Tile.Kind.SPLITTER:
			rays.append([cell, tile.reflect(direction)])
		cell += direction
	# The beam ends inside a crystal, but at the near side of anything solid.
	var inside: bool = _tiles.has(cell) and _tiles[cell].kind == Tile.Kind.CRYSTAL
	points.append(_center(cell) - Vector2(direction) * (0.0 if inside else CELL * 0.45))
	_draw_beam(points, 30.0, Color(1.0, 0.45, 0.15, 0.55))
	_draw_beam(points, 9.0, Color(1.0, 0.9, 0.65, 1.0))


func _draw_beam(points: PackedVector2Array, width: float, tint: Color) -> void:
	var line := Line2D.new()
	line.points = points
	line.width = width
	line.default_color = tint
	line.texture_mode = Line2D.LINE_TEXTURE_STRETCH
	line.joint_mode = Line2D.LINE_JOINT_SHARP
	line.material = _beam_material
	_beams.add_child(line)


func _clear_beams() -> void:
	for line: Node in _beams.get_children():
		line.queue_free()


func _finish() -> void:
	_locked = true
	_pending = create_tween()
	# A moment to admire the lit board before it burns away.
	_pending.tween_interval(0.9)
	_pending.tween_callback(_burn_all)
	_pending.tween_interval(1.4)
	_pending.tween_callback(solved.emit)


func _burn_all() -> void:
	_clear_beams()
	for cell: Vector2i in _tiles:
		_tiles[cell].set_lit(false)
		_tiles[cell].burn(1.0, 0.05 * (Levels.SIZE.x - cell.x + cell.y))
