class_name UiKit
extends Object
## The look of panels, buttons and lettering, in one place so that all screens match.

const DISPLAY_FONT := "res://art/fonts/FredokaOne-Regular.ttf"
const TEXT_FONT := "res://art/fonts/Manrope-Bold.ttf"
const STRONG_FONT := "res://art/fonts/Manrope-ExtraBold.ttf"


static func label(text: String, size: int, color: Color = Art.INK, font: String = TEXT_FONT) -> Label:
	var node := Label.new()
	node.text = text
	node.add_theme_font_override("font", load(font))
	node.add_theme_font_size_override("font_size", size)
	node.add_theme_color_override("font_color", color)
	return node


static func heading(text: String, size: int, color: Color = Art.INK) -> Label:
	return label(text, size, color, DISPLAY_FONT)


## Puts a label into a fixed box, centred unless told otherwise.
static func place(node: Label, rect: Rect2, align: HorizontalAlignment = HORIZONTAL_ALIGNMENT_CENTER) -> Label:
	node.position = rect.position
	node.custom_minimum_size = rect.size
	node.size = rect.size
	node.horizontal_alignment = align
	node.vertical_alignment = VERTICAL_ALIGNMENT_CENTER
	return node


static func outline(node: Label, color: Color, width: int) -> Label:
	node.add_theme_color_override("font_outline_color", color)
	node.add_theme_constant_override("outline_size", width)
	return node


static func box(fill: Color, border: Color, radius: int = 18, width: int = 4, shadow: int = 10) -> StyleBoxFlat:
	var style := StyleBoxFlat.new()
	style.bg_color = fill
	style.border_color = border
	style.set_border_width_all(width)
	style.set_corner_radius_all(radius)
	style.shadow_color = Color(0.05, 0.13, 0.28, 0.35)
	style.shadow_size = shadow
	style.shadow_offset = Vector2(0, shadow * 0.4)
	return style


static func panel(rect: Rect2, style: StyleBoxFlat) -> Panel:
	var node := Panel.new()
	node.position = rect.position
	node.size = rect.size
	node.add_theme_stylebox_override("panel", style)
	node.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return node


## A panel for the main cards: snow white with a frosty rim and a snow drift along its top edge.
static func card(rect: Rect2) -> Panel:
	var node: Panel = panel(rect, box(Art.SNOW, Art.FROST, 24, 5, 14))
	var count: int = int(rect.size.x / 130.0)
	for i: int in count:
		var wide: float = (rect.size.x - 60.0) / count
		var snow: Sprite2D = Art.sprite(Art.drift(), Vector2(30.0 + wide * (i + 0.5), -5.0), wide * 1.12)
		snow.flip_h = i % 2 == 1
		node.add_child(snow)
	return node


static func icon(texture: Texture2D, rect: Rect2) -> TextureRect:
	var node := TextureRect.new()
	node.texture = texture
	node.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	node.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	node.position = rect.position
	node.size = rect.size
	node.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return node


## A chunky button: thick lower rim, picture at the left, the key that does the same at the right.
static func button(text: String, rect: Rect2, picture: Texture2D, key: String, primary: bool = false) -> Button:
	var node := Button.new()
	node.position = rect.position
	node.size = rect.size
	node.focus_mode = Control.FOCUS_NONE
	node.pivot_offset = rect.size / 2.0
	var fill: Color = Art.EMBER if primary else Art.NIGHT
	var rim: Color = Art.EMBER_DARK if primary else Art.INK
	node.add_theme_stylebox_override("normal", _button_box(fill, rim, 7))
	node.add_theme_stylebox_override("hover", _button_box(fill.lightened(0.14), rim, 7))
	node.add_theme_stylebox_override("pressed", _button_box(fill.darkened(0.1), rim, 3))
	node.add_theme_stylebox_override("disabled", _button_box(Art.SLATE, Art.SLATE.darkened(0.2), 7))
	var left: float = 14.0
	if picture != null:
		var side: float = rect.size.y - 20.0
		node.add_child(icon(picture, Rect2(12, 6, side, side)))
		left = side + 22.0
	var key_wide: float = 0.0
	if key != "":
		key_wide = 34.0 + 10.0 * maxf(0.0, key.length() - 1.0)
		var cap: Panel = panel(Rect2(rect.size.x - key_wide - 12.0, rect.size.y / 2.0 - 18.0, key_wide, 30), box(Color(1, 1, 1, 0.92), Color(0.78, 0.86, 0.93), 8, 2, 0))
		cap.add_child(place(label(key, 18, Art.INK, STRONG_FONT), Rect2(0, 0, key_wide, 30)))
		node.add_child(cap)
		key_wide += 12.0
	var words: Label = place(heading(text, 24, Color.WHITE), Rect2(left, 0, rect.size.x - left - key_wide - 10.0, rect.size.y - 7.0), HORIZONTAL_ALIGNMENT_LEFT if picture != null else HORIZONTAL_ALIGNMENT_CENTER)
	words.mouse_filter = Control.MOUSE_FILTER_IGNORE
	node.add_child(words)
	return node


static func _button_box(fill: Color, rim: Color, lip: int) -> StyleBoxFlat:
	var style: StyleBoxFlat = box(fill, rim, 16, 2, 4)
	style.border_width_bottom = lip
	return style


## A short squash that answers a key press on the matching button.
static func nudge(node: Control) -> void:
	node.scale = Vector2(0.92, 0.92)
	node.create_tween().tween_property(node, "scale", Vector2.ONE, 0.25).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)


## Three stars in a row; unearned ones stay as pale blue hollows.
static func star_row(count: int, wide: float) -> Node2D:
	var row := Node2D.new()
	# star.png keeps a wide empty margin, so the visible star is cut out of it.
	var picture: AtlasTexture = Art.part(Art.item("star"), Rect2(30, 30, 68, 68))
	for i: int in 3:
		var tint: Color = Color.WHITE if i < count else Color(0.32, 0.45, 0.9, 0.35)
		row.add_child(Art.sprite(picture, Vector2((i - 1) * wide * 1.02, 0), wide, tint))
	return row


static func snowfall(amount: int, span: Vector2) -> CPUParticles2D:
	var flakes := CPUParticles2D.new()
	flakes.texture = Art.dot()
	flakes.amount = amount
	flakes.lifetime = 9.0
	flakes.preprocess = 9.0
	flakes.use_fixed_seed = true
	flakes.seed = 1207
	flakes.position = Vector2(span.x / 2.0, -20)
	flakes.emission_shape = CPUParticles2D.EMISSION_SHAPE_RECTANGLE
	flakes.emission_rect_extents = Vector2(span.x / 2.0 + 80.0, 4)
	flakes.direction = Vector2(-0.25, 1)
	flakes.spread = 14.0
	flakes.gravity = Vector2.ZERO
	flakes.initial_velocity_min = 60.0
	flakes.initial_velocity_max = 110.0
	flakes.scale_amount_min = 0.07
	flakes.scale_amount_max = 0.2
	flakes.color = Color(1, 1, 1, 0.85)
	return flakes
