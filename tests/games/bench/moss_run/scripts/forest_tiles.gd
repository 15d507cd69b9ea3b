class_name ForestTiles
extends RefCounted
## Builds the TileSet from one SVG sheet: solid tiles, one-way planks, decoration.

const SIZE := 48
const GRASS := Vector2i(0, 0)
const DIRT := Vector2i(1, 0)
const BRICK := Vector2i(2, 0)
const PLANK := Vector2i(3, 0)
const STONY := Vector2i(4, 0)
const FLOWERS := Vector2i(0, 1)
const DECOR: Array[Vector2i] = [Vector2i(1, 1), Vector2i(2, 1), Vector2i(3, 1), Vector2i(4, 1)]
const SOLID: Array[Vector2i] = [GRASS, DIRT, BRICK, STONY, FLOWERS]


static func build(texture: Texture2D) -> TileSet:
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(SIZE, SIZE)
	tiles.add_physics_layer()
	tiles.set_physics_layer_collision_layer(0, 1)
	tiles.set_physics_layer_collision_mask(0, 0)
	var source := TileSetAtlasSource.new()
	source.texture = texture
	source.texture_region_size = Vector2i(SIZE, SIZE)
	# The source must belong to the set first, or its tiles have no physics layer.
	tiles.add_source(source, 0)
	for at: Vector2i in SOLID:
		source.create_tile(at)
		_add_box(source.get_tile_data(at, 0), -24.0, 24.0, false)
	source.create_tile(PLANK)
	_add_box(source.get_tile_data(PLANK, 0), -24.0, -8.0, true)
	for at: Vector2i in DECOR:
		source.create_tile(at)
	return tiles


static func _add_box(data: TileData, top: float, bottom: float, one_way: bool) -> void:
	data.add_collision_polygon(0)
	data.set_collision_polygon_points(0, 0, PackedVector2Array([
		Vector2(-24, top), Vector2(24, top), Vector2(24, bottom), Vector2(-24, bottom)]))
	data.set_collision_polygon_one_way(0, 0, one_way)
