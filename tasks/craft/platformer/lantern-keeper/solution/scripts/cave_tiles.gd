class_name CaveTiles
extends RefCounted
## Builds one TileSet out of single-picture tiles and remembers which source belongs to which name.

const SIZE := 128
const STONE_LAYER := 0
const PLANK_LAYER := 1
## Alternative tiles of the ground's core: the deeper inside the rock, the darker.
const SHADES: Array[float] = [1.0, 0.86, 0.74]
const FLIPPED := TileSetAtlasSource.TRANSFORM_FLIP_V
const MIRRORED := TileSetAtlasSource.TRANSFORM_FLIP_H

var tile_set := TileSet.new()

var _ids: Dictionary[String, int] = {}


func _init(kind: String) -> void:
	tile_set.tile_size = Vector2i(SIZE, SIZE)
	tile_set.add_physics_layer()
	tile_set.set_physics_layer_collision_layer(STONE_LAYER, 1)
	tile_set.add_physics_layer()
	tile_set.set_physics_layer_collision_layer(PLANK_LAYER, 4)
	for part: String in ["", "Left", "Mid", "Right", "Center"]:
		_add_solid(kind + part)
	for part: String in ["Half", "Half_left", "Half_mid", "Half_right"]:
		_add_plank(kind + part, 30.0)
	_add_plank("ladderTop", 24.0)
	for name: String in ["ladderMid", "spikes", "lava", "lavaTop_high", "bush", "grass_sprout", "mushroomRed", "rock", "snow_pile",
			"plantPurple", "brickGrey", "brickBrown", "grassHill_left", "grassHill_right", "doorClosed_mid", "boxCrate"]:
		_add(name)


func id(name: String) -> int:
	return _ids[name]


func _add(name: String) -> TileSetAtlasSource:
	var source := TileSetAtlasSource.new()
	source.texture = Art.tile(name)
	source.texture_region_size = Vector2i(SIZE, SIZE)
	# One picture per source: there is no neighbour to bleed into.
	source.use_texture_padding = false
	_ids[name] = tile_set.add_source(source)
	source.create_tile(Vector2i.ZERO)
	return source


func _add_solid(name: String) -> void:
	var source: TileSetAtlasSource = _add(name)
	for shade: int in SHADES.size():
		if shade > 0:
			source.create_alternative_tile(Vector2i.ZERO, shade)
		var data: TileData = source.get_tile_data(Vector2i.ZERO, shade)
		data.modulate = Color(SHADES[shade], SHADES[shade], SHADES[shade])
		_add_box(data, STONE_LAYER, -64.0, 64.0)


func _add_plank(name: String, thickness: float) -> void:
	var data: TileData = _add(name).get_tile_data(Vector2i.ZERO, 0)
	_add_box(data, PLANK_LAYER, -64.0, -64.0 + thickness)
	data.set_collision_polygon_one_way(PLANK_LAYER, 0, true)


func _add_box(data: TileData, layer: int, top: float, bottom: float) -> void:
	data.add_collision_polygon(layer)
	data.set_collision_polygon_points(layer, 0, PackedVector2Array([
		Vector2(-64, top), Vector2(64, top), Vector2(64, bottom), Vector2(-64, bottom)]))
