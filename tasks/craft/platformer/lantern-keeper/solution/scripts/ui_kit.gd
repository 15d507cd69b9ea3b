class_name UiKit
extends RefCounted
## The look of every panel, button and line of text, in one place.

const INK := Color(0.09, 0.08, 0.15)
const CREAM := Color(1.0, 0.95, 0.84)
const MUTED := Color(0.76, 0.74, 0.84)
const AMBER := Color(1.0, 0.72, 0.28)
const EMBER := Color(0.93, 0.36, 0.2)


static func panel_style(fill: Color, border: Color, radius: int = 18, width: int = 3) -> StyleBoxFlat:
	var style := StyleBoxFlat.new()
	style.bg_color = fill
	style.border_color = border
	style.set_border_width_all(width)
	style.set_corner_radius_all(radius)
	style.content_margin_left = 18.0
	style.content_margin_right = 18.0
	style.content_margin_top = 10.0
	style.content_margin_bottom = 10.0
	style.shadow_color = Color(0, 0, 0, 0.4)
	style.shadow_size = 8
	style.shadow_offset = Vector2(0, 4)
	return style


static func panel(fill: Color = Color(0.12, 0.11, 0.2, 0.92), border: Color = Color(0.45, 0.4, 0.6)) -> PanelContainer:
	var box := PanelContainer.new()
	box.add_theme_stylebox_override(&"panel", panel_style(fill, border))
	box.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return box


static func label(text: String, size: int, color: Color = CREAM, font: Font = null) -> Label:
	var line := Label.new()
	line.text = text
	line.add_theme_font_override(&"font", font if font else Art.display_font())
	line.add_theme_font_size_override(&"font_size", size)
	line.add_theme_color_override(&"font_color", color)
	line.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	line.vertical_alignment = VERTICAL_ALIGNMENT_CENTER
	return line


static func headline(text: String, size: int, color: Color = CREAM) -> Label:
	var line: Label = label(text, size, color)
	line.add_theme_color_override(&"font_outline_color", INK)
	line.add_theme_constant_override(&"outline_size", int(size / 4.0))
	line.add_theme_color_override(&"font_shadow_color", Color(0, 0, 0, 0.5))
	line.add_theme_constant_override(&"shadow_offset_y", int(size / 14.0))
	line.add_theme_constant_override(&"shadow_outline_size", int(size / 4.0))
	return line


static func icon(texture: Texture2D, size: float) -> TextureRect:
	var picture := TextureRect.new()
	picture.texture = texture
	picture.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	picture.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	picture.custom_minimum_size = Vector2(size, size)
	picture.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return picture


static func button(text: String, action: Callable, primary: bool = false) -> Button:
	var knob := Button.new()
	knob.text = text
	knob.custom_minimum_size = Vector2(240, 62)
	knob.add_theme_font_override(&"font", Art.display_font())
	knob.add_theme_font_size_override(&"font_size", 26)
	var fill: Color = Color(0.86, 0.45, 0.14) if primary else Color(0.25, 0.22, 0.38)
	var edge: Color = Color(1.0, 0.8, 0.4) if primary else Color(0.52, 0.47, 0.7)
	knob.add_theme_stylebox_override(&"normal", _button_style(fill, edge, 6))
	knob.add_theme_stylebox_override(&"hover", _button_style(fill.lightened(0.12), CREAM, 6))
	knob.add_theme_stylebox_override(&"pressed", _button_style(fill.darkened(0.15), edge, 3))
	knob.add_theme_stylebox_override(&"disabled", _button_style(fill.darkened(0.4), edge.darkened(0.4), 6))
	var ring: StyleBoxFlat = panel_style(Color(0, 0, 0, 0), CREAM, 20, 3)
	ring.draw_center = false
	ring.shadow_size = 0
	ring.set_expand_margin_all(5.0)
	knob.add_theme_stylebox_override(&"focus", ring)
	for state: StringName in [&"font_color", &"font_hover_color", &"font_pressed_color", &"font_focus_color", &"font_hover_pressed_color"]:
		knob.add_theme_color_override(state, CREAM)
	knob.add_theme_color_override(&"font_disabled_color", MUTED.darkened(0.3))
	knob.add_theme_color_override(&"font_outline_color", fill.darkened(0.6))
	knob.add_theme_constant_override(&"outline_size", 6)
	knob.pressed.connect(action)
	return knob


## A key as it looks on the keyboard.
static func keycap(text: String, size: int = 20) -> PanelContainer:
	var cap := PanelContainer.new()
	var style: StyleBoxFlat = panel_style(Color(0.95, 0.92, 0.86), Color(0.62, 0.56, 0.55), 9, 2)
	style.border_width_bottom = 6
	style.content_margin_left = 12.0
	style.content_margin_right = 12.0
	style.content_margin_top = 2.0
	style.content_margin_bottom = 4.0
	style.shadow_size = 3
	cap.add_theme_stylebox_override(&"panel", style)
	cap.add_child(label(text, size, Color(0.2, 0.17, 0.25)))
	cap.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return cap


static func row(gap: int, children: Array[Control]) -> HBoxContainer:
	var box := HBoxContainer.new()
	box.add_theme_constant_override(&"separation", gap)
	box.alignment = BoxContainer.ALIGNMENT_CENTER
	box.mouse_filter = Control.MOUSE_FILTER_IGNORE
	for child: Control in children:
		child.size_flags_vertical = Control.SIZE_SHRINK_CENTER
		box.add_child(child)
	return box


static func column(gap: int, children: Array[Control]) -> VBoxContainer:
	var box := VBoxContainer.new()
	box.add_theme_constant_override(&"separation", gap)
	box.alignment = BoxContainer.ALIGNMENT_CENTER
	box.mouse_filter = Control.MOUSE_FILTER_IGNORE
	for child: Control in children:
		box.add_child(child)
	return box


static func _button_style(fill: Color, edge: Color, lip: int) -> StyleBoxFlat:
	var style: StyleBoxFlat = panel_style(fill, edge, 16, 3)
	style.border_width_bottom = lip
	return style
