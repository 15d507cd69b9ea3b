class_name Screen
extends CanvasLayer
## A full-screen page of the interface, with the pieces that all pages share.

var root := Control.new()


func _init() -> void:
	layer = 20
	process_mode = Node.PROCESS_MODE_ALWAYS
	root.set_anchors_preset(Control.PRESET_FULL_RECT)
	root.mouse_filter = Control.MOUSE_FILTER_IGNORE
	add_child(root)


## Darkens the scene behind a page, more towards its foot than at its head.
func dim(strength: float) -> void:
	var shade := TextureRect.new()
	shade.texture = Art.vertical(Color(0.05, 0.04, 0.12, strength * 0.9), Color(0.02, 0.02, 0.06, minf(strength * 1.15, 1.0)))
	shade.stretch_mode = TextureRect.STRETCH_SCALE
	shade.set_anchors_preset(Control.PRESET_FULL_RECT)
	root.add_child(shade)
	shade.modulate.a = 0.0
	shade.create_tween().tween_property(shade, "modulate:a", 1.0, 0.3)


## A centred card that drops into place.
func card(content: Control, border: Color, middle: Vector2 = Vector2(640, 372)) -> PanelContainer:
	var box := PanelContainer.new()
	var style: StyleBoxFlat = UiKit.panel_style(Color(0.13, 0.11, 0.21, 0.97), border, 28, 4)
	style.set_content_margin_all(34.0)
	style.shadow_size = 22
	box.add_theme_stylebox_override(&"panel", style)
	box.add_child(content)
	root.add_child(box)
	box.reset_size()
	var goal: Vector2 = middle - box.get_combined_minimum_size() * 0.5
	box.position = goal
	box.modulate.a = 0.0
	var tween: Tween = box.create_tween()
	tween.tween_property(box, "position:y", goal.y, 0.35).from(goal.y - 60.0).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	tween.parallel().tween_property(box, "modulate:a", 1.0, 0.2)
	return box


func place_centred(control: Control, middle: Vector2) -> void:
	root.add_child(control)
	control.reset_size()
	control.position = middle - control.get_combined_minimum_size() * 0.5


## The keyboard's focus arrives a moment after the page, so that a key still held from play does not move it.
func focus_first(buttons: Array[Button], delay: float = 0.05) -> void:
	get_tree().create_timer(delay).timeout.connect(func() -> void:
		if is_instance_valid(buttons[0]) and not buttons[0].disabled:
			buttons[0].grab_focus())
