class_name Art
extends RefCounted
## Short names for the art, and the two soft textures that no picture file is needed for.

static var _glow: GradientTexture2D
static var _dot: GradientTexture2D
static var _crops: Dictionary[Texture2D, AtlasTexture] = {}


static func tile(name: String) -> Texture2D:
	return load("res://art/tiles/%s.png" % name)


static func creature(name: String) -> Texture2D:
	return load("res://art/creatures/%s.png" % name)


static func item(name: String) -> Texture2D:
	return load("res://art/items/%s.png" % name)


## The pictures of torches and gems leave wide margins; in the interface they are cropped to what is drawn.
static func torch_icon(name: String) -> AtlasTexture:
	return _crop(tile(name), Rect2(36, 8, 56, 112))


static func gem_icon(name: String) -> AtlasTexture:
	return _crop(item(name), Rect2(24, 34, 80, 60))


static func star_icon() -> AtlasTexture:
	return _crop(item("star"), Rect2(30, 30, 67, 67))


static func _crop(texture: Texture2D, region: Rect2) -> AtlasTexture:
	if not _crops.has(texture):
		var part := AtlasTexture.new()
		part.atlas = texture
		part.region = region
		_crops[texture] = part
	return _crops[texture]


static func display_font() -> Font:
	return load("res://art/fonts/FredokaOne-Regular.ttf")


static func text_font() -> Font:
	return load("res://art/fonts/Manrope-Bold.ttf")


## A wide, soft halo, for light that adds to what is behind it.
static func glow() -> GradientTexture2D:
	if _glow == null:
		_glow = _radial(256, PackedFloat32Array([0.0, 0.25, 0.6, 1.0]), PackedColorArray([
			Color(1, 1, 1, 0.85), Color(1, 1, 1, 0.38), Color(1, 1, 1, 0.1), Color(1, 1, 1, 0)]))
	return _glow


## A small soft disc for sparks and motes.
static func dot() -> GradientTexture2D:
	if _dot == null:
		_dot = _radial(32, PackedFloat32Array([0.0, 0.45, 1.0]), PackedColorArray([
			Color(1, 1, 1, 1), Color(1, 1, 1, 0.7), Color(1, 1, 1, 0)]))
	return _dot


static func vertical(top: Color, bottom: Color) -> GradientTexture2D:
	var texture := GradientTexture2D.new()
	texture.width = 16
	texture.height = 256
	texture.fill_to = Vector2(0, 1)
	texture.gradient = Gradient.new()
	texture.gradient.set_color(0, top)
	texture.gradient.set_color(1, bottom)
	return texture


static func additive() -> CanvasItemMaterial:
	var material := CanvasItemMaterial.new()
	material.blend_mode = CanvasItemMaterial.BLEND_MODE_ADD
	return material


static func _radial(size: int, offsets: PackedFloat32Array, colors: PackedColorArray) -> GradientTexture2D:
	var texture := GradientTexture2D.new()
	texture.width = size
	texture.height = size
	texture.fill = GradientTexture2D.FILL_RADIAL
	texture.fill_from = Vector2(0.5, 0.5)
	texture.fill_to = Vector2(1.0, 0.5)
	texture.gradient = Gradient.new()
	texture.gradient.offsets = offsets
	texture.gradient.colors = colors
	return texture
