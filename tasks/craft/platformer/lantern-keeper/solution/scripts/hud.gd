class_name Hud
extends CanvasLayer
## What the player must always know: flame, torches, gems, key, where, and what next.

const BAR := Vector2(250, 24)

var _cave: Cave
var _root := Control.new()
var _fill := TextureRect.new()
var _flame_icon: TextureRect
var _flame_label: Label
var _flame_panel: PanelContainer
var _torch_icons: Array[TextureRect] = []
var _torch_label: Label
var _gem_label: Label
var _gem_icon: TextureRect
var _key_icon: TextureRect
var _note: PanelContainer
var _note_label: Label
var _note_icon: TextureRect
var _note_tween: Tween
var _hint: PanelContainer
var _hint_label: Label
var _hint_goal: float = 0.0
var _pin: Panel
var _pin_icon: TextureRect
var _shown_gems: int = -1
var _shown_torches: int = -1
var _age: float = 0.0
var _warm: GradientTexture2D = Art.vertical(Color(1.0, 0.86, 0.36), Color(0.98, 0.52, 0.16))
var _low: GradientTexture2D = Art.vertical(Color(1.0, 0.5, 0.38), Color(0.82, 0.15, 0.16))


func watch(cave: Cave) -> void:
	_cave = cave
	layer = 5
	_root.set_anchors_preset(Control.PRESET_FULL_RECT)
	_root.mouse_filter = Control.MOUSE_FILTER_IGNORE
	add_child(_root)
	_build_flame()
	_build_counters()
	_build_place()
	_build_note()
	_build_hint()
	_build_pin()
	cave.hinted.connect(hint)
	cave.noted.connect(announce)
	_refresh()


func announce(text: String, picture: Texture2D) -> void:
	_note_label.text = text
	_note_icon.texture = picture
	_note.reset_size()
	_note.position = Vector2(640.0 - _note.get_combined_minimum_size().x * 0.5, 104)
	_note.modulate.a = 0.0
	_note.show()
	if _note_tween:
		_note_tween.kill()
	_note_tween = create_tween()
	_note_tween.tween_property(_note, "modulate:a", 1.0, 0.15)
	_note_tween.parallel().tween_property(_note, "position:y", 92.0, 0.25).from(112.0).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	_note_tween.tween_interval(2.1)
	_note_tween.tween_property(_note, "modulate:a", 0.0, 0.4)
	_note_tween.tween_callback(_note.hide)


## What a sign post says stays at the foot of the screen while the keeper stands by it.
func hint(text: String) -> void:
	_hint_goal = 0.0 if text.is_empty() else 1.0
	if text.is_empty():
		return
	_hint_label.text = text
	_hint.reset_size()
	_hint.position = Vector2(640.0 - _hint.get_combined_minimum_size().x * 0.5, 636)


func _process(delta: float) -> void:
	_age += delta
	_hint.modulate.a = move_toward(_hint.modulate.a, _hint_goal, delta * 5.0)
	_hint.visible = _hint.modulate.a > 0.0
	_refresh()


func _refresh() -> void:
	var share: float = _cave.keeper.flame / Keeper.FULL
	var low: bool = share < 0.3
	_fill.size.x = maxf(BAR.x * share, 0.0)
	_fill.texture = _low if low else _warm
	_flame_label.text = "%d" % int(ceilf(_cave.keeper.flame))
	_flame_icon.texture = Art.torch_icon("torchOff" if share <= 0.0 else ("torch1" if int(_age * 8.0) % 2 == 0 else "torch2"))
	# A flame that is about to fail asks for attention.
	_flame_panel.modulate = Color(1.0, 1.0, 1.0).lerp(Color(1.5, 0.8, 0.75), 0.5 + 0.5 * sin(_age * 9.0)) if low else Color.WHITE
	var lit: int = _cave.torches_lit()
	if lit != _shown_torches:
		_shown_torches = lit
		_torch_label.text = "%d/%d" % [lit, _torch_icons.size()]
		for number: int in _torch_icons.size():
			_torch_icons[number].texture = Art.torch_icon("torch1" if number < lit else "torchOff")
		_pop(_torch_label)
	if _cave.gems != _shown_gems:
		_shown_gems = _cave.gems
		_gem_label.text = "%d/%d" % [_cave.gems, _cave.gem_total]
		_pop(_gem_icon)
	_key_icon.visible = _cave.has_key
	_place_pin()


func _pop(control: Control) -> void:
	control.pivot_offset = control.size * 0.5
	control.scale = Vector2(1.5, 1.5)
	control.create_tween().tween_property(control, "scale", Vector2.ONE, 0.35).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)


func _build_flame() -> void:
	_flame_panel = UiKit.panel()
	_flame_panel.position = Vector2(20, 16)
	_root.add_child(_flame_panel)
	_flame_icon = UiKit.icon(Art.torch_icon("torch1"), 48)
	var bar := Control.new()
	bar.custom_minimum_size = BAR
	var trough := Panel.new()
	trough.size = BAR
	var deep: StyleBoxFlat = UiKit.panel_style(Color(0.05, 0.04, 0.09), Color(0.05, 0.04, 0.09), 6, 0)
	deep.shadow_size = 0
	trough.add_theme_stylebox_override(&"panel", deep)
	bar.add_child(trough)
	_fill.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	_fill.stretch_mode = TextureRect.STRETCH_SCALE
	_fill.size = BAR
	bar.add_child(_fill)
	var rim := Panel.new()
	rim.position = Vector2(-3, -3)
	rim.size = BAR + Vector2(6, 6)
	var edge: StyleBoxFlat = UiKit.panel_style(Color.TRANSPARENT, Color(0.95, 0.82, 0.58), 7, 4)
	edge.draw_center = false
	edge.shadow_size = 0
	rim.add_theme_stylebox_override(&"panel", edge)
	bar.add_child(rim)
	_flame_label = UiKit.label("100", 24)
	_flame_label.custom_minimum_size = Vector2(46, 0)
	_flame_panel.add_child(UiKit.row(12, [_flame_icon, bar, _flame_label]))


func _build_counters() -> void:
	var panel: PanelContainer = UiKit.panel()
	_root.add_child(panel)
	var parts: Array[Control] = []
	_key_icon = UiKit.icon(Art.item("keyYellow"), 52)
	_key_icon.hide()
	parts.append(_key_icon)
	for torch: Torch in _cave.torches:
		var flame: TextureRect = UiKit.icon(Art.torch_icon("torchOff"), 46)
		flame.custom_minimum_size.x = 28
		_torch_icons.append(flame)
		parts.append(flame)
	_torch_label = UiKit.label("0/3", 26)
	_torch_label.custom_minimum_size = Vector2(54, 0)
	parts.append(_torch_label)
	_gem_icon = UiKit.icon(Art.gem_icon(_cave.mood.gem), 40)
	parts.append(_gem_icon)
	_gem_label = UiKit.label("0/0", 26)
	_gem_label.custom_minimum_size = Vector2(54, 0)
	parts.append(_gem_label)
	panel.add_child(UiKit.row(6, parts))
	panel.set_anchors_and_offsets_preset(Control.PRESET_TOP_RIGHT)
	panel.grow_horizontal = Control.GROW_DIRECTION_BEGIN
	panel.offset_right = -20.0
	panel.offset_left = -20.0
	panel.offset_top = 16.0


func _build_place() -> void:
	var plaque := PanelContainer.new()
	plaque.add_theme_stylebox_override(&"panel", UiKit.panel_style(Color(0.12, 0.11, 0.2, 0.92), _cave.mood.accent, 18, 3))
	plaque.add_child(UiKit.row(12, [UiKit.label(_cave.mood.numeral, 24, _cave.mood.accent), UiKit.label(_cave.mood.name, 24)]))
	_root.add_child(plaque)
	plaque.position = Vector2(640.0 - plaque.get_combined_minimum_size().x * 0.5, 22)


func _build_note() -> void:
	_note = PanelContainer.new()
	_note.add_theme_stylebox_override(&"panel", UiKit.panel_style(Color(0.2, 0.13, 0.1, 0.95), UiKit.AMBER, 16, 3))
	_note_icon = UiKit.icon(Art.tile("torch1"), 38)
	_note_label = UiKit.label("", 22, UiKit.CREAM, Art.text_font())
	_note.add_child(UiKit.row(12, [_note_icon, _note_label]))
	_note.hide()
	_root.add_child(_note)


func _build_hint() -> void:
	_hint = PanelContainer.new()
	_hint.add_theme_stylebox_override(&"panel", UiKit.panel_style(Color(0.24, 0.16, 0.12, 0.96), Color(0.85, 0.58, 0.32), 14, 4))
	_hint_label = UiKit.label("", 24, UiKit.CREAM, Art.text_font())
	_hint.add_child(UiKit.row(12, [UiKit.icon(Art.tile("signRight"), 40), _hint_label]))
	_hint.modulate.a = 0.0
	_hint.hide()
	_root.add_child(_hint)


## A drop-shaped pin on the rim of the screen; its tip points to what is wanted next.
func _build_pin() -> void:
	_pin = Panel.new()
	_pin.size = Vector2(58, 58)
	_pin.pivot_offset = Vector2(29, 29)
	var style: StyleBoxFlat = UiKit.panel_style(Color(0.2, 0.13, 0.1, 0.92), UiKit.AMBER, 29, 3)
	style.corner_radius_top_right = 4
	_pin.add_theme_stylebox_override(&"panel", style)
	_root.add_child(_pin)
	_pin_icon = UiKit.icon(Art.torch_icon("torchOff"), 40)
	_pin_icon.size = Vector2(40, 40)
	_pin_icon.position = Vector2(9, 9)
	_pin_icon.pivot_offset = Vector2(20, 20)
	_pin.add_child(_pin_icon)


func _place_pin() -> void:
	var goal: Vector2 = _cave.to_screen(_cave.objective())
	var safe := Rect2(70, 150, 1140, 500)
	_pin.visible = not Rect2(20, 90, 1240, 620).has_point(goal) and _cave.keeper.alive
	var at: Vector2 = goal.clamp(safe.position, safe.end)
	_pin.position = at - _pin.size * 0.5 + (goal - at).normalized() * 6.0 * sin(_age * 5.0)
	# The sharp corner of the panel sits at its upper right: 45 degrees above the x axis.
	_pin.rotation = (goal - at).angle() + PI / 4.0
	_pin_icon.rotation = -_pin.rotation
	_pin_icon.texture = Art.torch_icon("torchOff") if _cave.torches_lit() < _cave.torches.size() else Art.tile("doorClosed_mid")
