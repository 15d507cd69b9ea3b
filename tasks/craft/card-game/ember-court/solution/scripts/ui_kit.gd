class_name UiKit
extends RefCounted
## Colours, fonts, styles and small builders shared by every screen, so that they all look alike.

const HEAD: Font = preload("res://art/fonts/FredokaOne-Regular.ttf")
const BODY: Font = preload("res://art/fonts/Manrope-Bold.ttf")
const INK: Shader = preload("res://shaders/ink.gdshader")

const NIGHT := Color("1b131d")
const PLUM := Color("33232f")
const CREAM := Color("f8ecd4")
const SAND := Color("d9bf98")
const GOLD := Color("ffc94d")
const EMBER := Color("f27f2e")
const BLOOD := Color("dd4a4f")
const LEAF := Color("6fbf4a")
const STEEL := Color("4f8fc4")
const WOOD_TINT := Color(0.52, 0.4, 0.4)

## Where on a card's face a symbol is printed.
const PRINTED: Dictionary[String, Array] = {
	"hearts": ["cardHeartsA", Rect2(54, 80, 33, 32)],
	"spades": ["cardSpadesA", Rect2(54, 78, 32, 34)],
	"clubs": ["cardClubsA", Rect2(53, 78, 35, 34)],
	"diamonds": ["cardDiamondsA", Rect2(55, 77, 31, 37)],
	"king": ["cardHeartsK", Rect2(23, 60, 93, 62)],
	"queen": ["cardHeartsQ", Rect2(20, 61, 101, 61)],
	"hat": ["cardJoker", Rect2(32, 64, 78, 58)],
}

static var _inks: Dictionary[Color, ShaderMaterial] = {}
static var _theme: Theme = null


static func art(path: String) -> Texture2D:
	return load("res://art/%s.png" % path)


static func printed(symbol: String) -> AtlasTexture:
	var atlas := AtlasTexture.new()
	atlas.atlas = art("cards/" + str(PRINTED[symbol][0]))
	atlas.region = PRINTED[symbol][1]
	return atlas


static func ink(colour: Color) -> ShaderMaterial:
	if not _inks.has(colour):
		var material := ShaderMaterial.new()
		material.shader = INK
		material.set_shader_parameter("ink", colour)
		_inks[colour] = material
	return _inks[colour]


static func flat(fill: Color, border: Color, width: int = 3, radius: int = 14) -> StyleBoxFlat:
	var box := StyleBoxFlat.new()
	box.bg_color = fill
	box.border_color = border
	box.set_border_width_all(width)
	box.set_corner_radius_all(radius)
	box.set_content_margin_all(12)
	box.shadow_color = Color(0, 0, 0, 0.35)
	box.shadow_size = 6
	box.shadow_offset = Vector2(0, 4)
	return box


static func wood(tint: Color = WOOD_TINT) -> StyleBoxTexture:
	var box := StyleBoxTexture.new()
	box.texture = art("tiles/boxCrate")
	box.set_texture_margin_all(26)
	box.set_content_margin_all(20)
	box.modulate_color = tint
	return box


## A button face with a thick lower lip, which sinks when pressed.
static func key_face(fill: Color, lip: int) -> StyleBoxFlat:
	var box := flat(fill, fill.darkened(0.45), 2, 12)
	box.border_width_bottom = lip
	box.shadow_size = 3
	box.content_margin_left = 14
	box.content_margin_right = 14
	box.content_margin_top = 4 if lip > 3 else 8
	box.content_margin_bottom = lip + 2
	return box


static func paint_button(button: Button, colour: Color) -> void:
	button.add_theme_stylebox_override("normal", key_face(colour, 7))
	button.add_theme_stylebox_override("hover", key_face(colour.lightened(0.18), 7))
	button.add_theme_stylebox_override("pressed", key_face(colour.darkened(0.12), 3))
	button.add_theme_stylebox_override("hover_pressed", key_face(colour.lightened(0.08), 3))


static func theme() -> Theme:
	if _theme != null:
		return _theme
	_theme = Theme.new()
	_theme.default_font = BODY
	_theme.default_font_size = 20
	_theme.set_color("font_color", "Label", CREAM)
	_theme.set_stylebox("panel", "Panel", flat(Color(NIGHT, 0.9), Color("8a6038")))
	_theme.set_stylebox("panel", "PanelContainer", flat(Color(NIGHT, 0.9), Color("8a6038")))
	_theme.set_font("font", "Button", HEAD)
	_theme.set_font_size("font_size", "Button", 24)
	for state: String in ["font_color", "font_hover_color", "font_pressed_color", "font_hover_pressed_color", "font_focus_color"]:
		_theme.set_color(state, "Button", Color.WHITE)
	_theme.set_color("font_disabled_color", "Button", Color(1, 1, 1, 0.42))
	_theme.set_color("font_outline_color", "Button", Color(0, 0, 0, 0.4))
	_theme.set_constant("outline_size", "Button", 4)
	_theme.set_stylebox("normal", "Button", key_face(Color("8a5a34"), 7))
	_theme.set_stylebox("hover", "Button", key_face(Color("a9713f"), 7))
	_theme.set_stylebox("pressed", "Button", key_face(Color("74492a"), 3))
	_theme.set_stylebox("disabled", "Button", key_face(Color("4a3a3c"), 5))
	_theme.set_stylebox("focus", "Button", StyleBoxEmpty.new())
	return _theme


static func label(parent: Node, text: String, rect: Rect2, size: int, colour: Color = CREAM, head: bool = true,
		align: HorizontalAlignment = HORIZONTAL_ALIGNMENT_CENTER) -> Label:
	var made := Label.new()
	made.text = text
	made.position = rect.position
	made.size = rect.size
	made.horizontal_alignment = align
	made.vertical_alignment = VERTICAL_ALIGNMENT_CENTER
	made.mouse_filter = Control.MOUSE_FILTER_IGNORE
	made.add_theme_font_override("font", HEAD if head else BODY)
	made.add_theme_font_size_override("font_size", size)
	made.add_theme_color_override("font_color", colour)
	made.add_theme_color_override("font_outline_color", Color(NIGHT, 0.85))
	made.add_theme_constant_override("outline_size", 6 if head else 4)
	parent.add_child(made)
	return made


static func paragraph(parent: Node, text: String, rect: Rect2, size: int, colour: Color = CREAM) -> Label:
	# Empty at first: a label that already holds its text as one line never gets narrower than that.
	var made := label(parent, "", rect, size, colour, false)
	made.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	made.vertical_alignment = VERTICAL_ALIGNMENT_TOP
	made.text = text
	return made


static func button(parent: Node, text: String, rect: Rect2, colour: Color, size: int = 24) -> Button:
	var made := Button.new()
	made.theme = theme()
	made.text = text
	made.position = rect.position
	made.size = rect.size
	# The keyboard has its own keys for everything; focus would make ENTER and SPACE press twice.
	made.focus_mode = Control.FOCUS_NONE
	made.pivot_offset = rect.size / 2.0
	made.add_theme_font_size_override("font_size", size)
	paint_button(made, colour)
	parent.add_child(made)
	return made


static func panel(parent: Node, rect: Rect2, style: StyleBox) -> Panel:
	var made := Panel.new()
	made.position = rect.position
	made.size = rect.size
	made.mouse_filter = Control.MOUSE_FILTER_IGNORE
	made.add_theme_stylebox_override("panel", style)
	parent.add_child(made)
	return made


static func picture(parent: Node, texture: Texture2D, rect: Rect2) -> TextureRect:
	var made := TextureRect.new()
	made.texture = texture
	made.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	made.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	made.position = rect.position
	made.size = rect.size
	made.mouse_filter = Control.MOUSE_FILTER_IGNORE
	parent.add_child(made)
	return made


static func tiled(parent: Node, texture: Texture2D, rect: Rect2, tint: Color) -> TextureRect:
	var made := picture(parent, texture, rect)
	made.stretch_mode = TextureRect.STRETCH_TILE
	made.modulate = tint
	return made


## A symbol lifted from a card's face, in a colour of our own.
static func symbol(parent: Node, name: String, rect: Rect2, colour: Color) -> TextureRect:
	var made := picture(parent, printed(name), rect)
	made.material = ink(colour)
	return made


static func vignette(parent: Node, strength: float) -> TextureRect:
	var gradient := Gradient.new()
	gradient.set_color(0, Color(0, 0, 0, 0))
	gradient.set_offset(0, 0.45)
	gradient.set_color(1, Color(0.04, 0.01, 0.04, strength))
	var texture := GradientTexture2D.new()
	texture.gradient = gradient
	texture.width = 320
	texture.height = 180
	texture.fill = GradientTexture2D.FILL_RADIAL
	texture.fill_from = Vector2(0.5, 0.5)
	texture.fill_to = Vector2(1.05, 1.05)
	var made := picture(parent, texture, Rect2(0, 0, 1280, 720))
	made.stretch_mode = TextureRect.STRETCH_SCALE
	return made


## Drifting motes: leaves, bubbles or sparks.
static func motes(parent: Node, texture: Texture2D, tint: Color, rise: float, amount: int) -> CPUParticles2D:
	var made := CPUParticles2D.new()
	made.texture = texture
	made.amount = amount
	made.lifetime = 7.0
	made.preprocess = 7.0
	made.position = Vector2(640, 760) if rise < 0.0 else Vector2(640, -30)
	made.emission_shape = CPUParticles2D.EMISSION_SHAPE_RECTANGLE
	made.emission_rect_extents = Vector2(640, 20)
	made.direction = Vector2(0.25, signf(rise))
	made.spread = 14.0
	made.gravity = Vector2.ZERO
	made.initial_velocity_min = absf(rise) * 1.2
	made.initial_velocity_max = absf(rise) * 3.4
	made.angular_velocity_min = -60.0
	made.angular_velocity_max = 60.0
	made.scale_amount_min = 7.0 / texture.get_width()
	made.scale_amount_max = 18.0 / texture.get_width()
	made.color = tint
	made.use_fixed_seed = true
	made.seed = 11
	parent.add_child(made)
	return made
