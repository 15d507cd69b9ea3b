class_name Art
extends Object
## Where every picture, colour and soft gradient of the game comes from.

const INK := Color("1c2f50")
const NIGHT := Color("24406b")
const SLATE := Color("5a7aa0")
const FROST := Color("bfe4f4")
const SNOW := Color("f2faff")
const EMBER := Color("f07a2b")
const EMBER_DARK := Color("b9521a")
const SUN := Color("ffcb2e")
const PINE := Color("57b548")
const ALERT := Color("d8492f")

## Parcels and flags by colour number.
const FLAG_NAMES: Array[String] = ["Red", "Green", "Yellow"]
const GEM_COLORS: Array[Color] = [Color("ef6f2c"), Color("6cc644"), Color("ffcb2e")]
const KEY_NAMES: Array[String] = ["Yellow", "Red"]
const SWITCH_NAMES: Array[String] = ["Green", "Red"]
const GATE_TINTS: Array[Color] = [Color(0.62, 1.2, 0.45), Color(1.45, 0.72, 0.4)]

static var _dot: GradientTexture2D
static var _shore: GradientTexture2D


static func tile(name: String) -> Texture2D:
	return load("res://art/tiles/%s.png" % name)


static func item(name: String) -> Texture2D:
	return load("res://art/items/%s.png" % name)


static func scenery(name: String) -> Texture2D:
	return load("res://art/scenery/%s.png" % name)


static func courier(pose: String) -> Texture2D:
	return load("res://art/courier/femaleAdventurer_%s.png" % pose)


## Wind-ribbed snow over a whole area; `tint` is the light of the hour.
static func snow_ground(area: Rect2, tint: Color) -> Sprite2D:
	var ground := Sprite2D.new()
	ground.texture = tile("snowCenter")
	ground.texture_repeat = CanvasItem.TEXTURE_REPEAT_ENABLED
	ground.region_enabled = true
	ground.region_rect = Rect2(Vector2.ZERO, area.size / 3.0)
	ground.scale = Vector2(3, 3)
	ground.centered = false
	ground.position = area.position
	# The tile is a mid grey; brightened this far only its faint ripples remain.
	ground.modulate = Color(tint.r * 1.36, tint.g * 1.3, tint.b * 1.3)
	return ground


## A part of a picture, for pieces that fill only a corner of their file.
static func part(whole: Texture2D, region: Rect2) -> AtlasTexture:
	var atlas := AtlasTexture.new()
	atlas.atlas = whole
	atlas.region = region
	return atlas


## The drift of snow_pile.png without the empty sky above it.
static func drift() -> AtlasTexture:
	return part(tile("snow_pile"), Rect2(0, 98, 128, 30))


## A soft round blot: snowflakes, glows and shadows.
static func dot() -> GradientTexture2D:
	if _dot == null:
		var gradient := Gradient.new()
		gradient.set_color(0, Color.WHITE)
		gradient.set_color(1, Color(1, 1, 1, 0))
		gradient.add_point(0.45, Color(1, 1, 1, 0.75))
		_dot = GradientTexture2D.new()
		_dot.gradient = gradient
		_dot.fill = GradientTexture2D.FILL_RADIAL
		_dot.fill_from = Vector2(0.5, 0.5)
		_dot.fill_to = Vector2(1.0, 0.5)
		_dot.width = 64
		_dot.height = 64
	return _dot


## Fades downwards; lies along the foot of a bank as its shadow on the ice.
static func shore() -> GradientTexture2D:
	if _shore == null:
		_shore = vertical([Color(0.1, 0.25, 0.45, 0.42), Color(0.1, 0.25, 0.45, 0.0)], 16)
	return _shore


static func vertical(colors: Array[Color], height: int = 180) -> GradientTexture2D:
	var gradient := Gradient.new()
	gradient.offsets = PackedFloat32Array()
	for i: int in colors.size():
		gradient.add_point(float(i) / (colors.size() - 1), colors[i])
	var texture := GradientTexture2D.new()
	texture.gradient = gradient
	texture.fill_from = Vector2.ZERO
	texture.fill_to = Vector2(0, 1)
	texture.width = 8
	texture.height = height
	return texture


static func sprite(texture: Texture2D, at: Vector2, wide: float, tint: Color = Color.WHITE) -> Sprite2D:
	var node := Sprite2D.new()
	node.texture = texture
	node.position = at
	node.scale = Vector2.ONE * (wide / texture.get_width())
	node.modulate = tint
	return node


## A pine from above: frosty needles, a cap of snow, a blue shadow.
static func pine(at: Vector2, wide: float) -> Node2D:
	var tree := Node2D.new()
	tree.position = at
	var shadow: Sprite2D = sprite(scenery("treeGreen_large"), Vector2(wide * 0.1, wide * 0.14), wide * 1.04, Color(0.0, 0.12, 0.4, 0.3))
	tree.add_child(shadow)
	tree.add_child(sprite(scenery("treeGreen_large"), Vector2.ZERO, wide, Color(0.75, 0.82, 0.95)))
	tree.add_child(sprite(scenery("treeGreen_large"), Vector2(-wide * 0.03, -wide * 0.05), wide * 0.74, Color(1.0, 1.0, 1.25)))
	tree.add_child(sprite(scenery("treeGreen_small"), Vector2(-wide * 0.05, -wide * 0.09), wide * 0.46, Color(4.85, 1.4, 2.42)))
	return tree


## A boulder from above with a drift of snow on it.
static func boulder(at: Vector2, wide: float, kind: int) -> Node2D:
	var rock := Node2D.new()
	rock.position = at
	var names: Array[String] = ["meteorGrey_big4", "meteorGrey_big1", "meteorGrey_big3"]
	var picture: Texture2D = scenery(names[kind % names.size()])
	rock.add_child(sprite(picture, Vector2(wide * 0.06, wide * 0.1), wide * 1.02, Color(0.0, 0.12, 0.4, 0.3)))
	rock.add_child(sprite(picture, Vector2.ZERO, wide, Color(1.12, 1.16, 1.25)))
	var cap: Sprite2D = sprite(drift(), Vector2(-wide * 0.03, -wide * 0.22), wide * 0.8)
	cap.scale.y *= 1.3
	rock.add_child(cap)
	return rock


## Deterministic scatter: the same numbers for the same place in every run.
static func scatter(a: int, b: int) -> float:
	return float(((a * 73856093) ^ (b * 19349663) ^ 83492791) & 0xffff) / 65535.0
