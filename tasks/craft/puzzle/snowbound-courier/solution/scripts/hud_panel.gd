class_name HudPanel
extends Control
## The slip of paper at the right: pond, moves, deliveries, pocket, advice and the three buttons.

signal undo_pressed
signal restart_pressed
signal map_pressed

const FRAME := Rect2(950, 26, 306, 670)
const GAUGE_WIDE := 246.0

var _moves: Label
var _gauge: Panel
var _gauge_box: StyleBoxFlat
var _star_lines: Array[Control] = []
var _thresholds: PackedInt32Array = []
var _goals: Label
var _goal_icons: Array[Control] = []
var _pocket: Array[Array] = []
var _tip_panel: Panel
var _tip_icon: TextureRect
var _tip: Label
var _undo: Button
var _restart: Button
var _tip_text: String
var _tip_picture: Texture2D


func setup(pond: Dictionary, number: int, rules: PondRules) -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	var card: Panel = UiKit.card(FRAME)
	add_child(card)
	var head: Panel = UiKit.panel(Rect2(16, 16, 274, 78), UiKit.box(Art.NIGHT, Art.INK, 16, 3, 0))
	card.add_child(head)
	head.add_child(UiKit.place(UiKit.label("%s  ·  pond %d" % [PondLibrary.REGIONS[pond["region"]]["name"], number], 18, Art.FROST), Rect2(8, 8, 258, 26)))
	head.add_child(UiKit.place(UiKit.heading(pond["name"], 27, Color.WHITE), Rect2(8, 34, 258, 36)))
	_build_moves(card, pond)
	_build_goals(card, rules)
	_tip_text = pond["tip"]
	_tip_picture = PondLibrary.icon(pond)
	_tip_panel = UiKit.panel(Rect2(16, 348, 274, 134), UiKit.box(Color("e2f2fb"), Art.FROST, 16, 3, 0))
	card.add_child(_tip_panel)
	var badge: Panel = UiKit.panel(Rect2(8, 34, 64, 66), UiKit.box(Art.NIGHT, Art.INK, 14, 2, 0))
	_tip_panel.add_child(badge)
	_tip_icon = UiKit.icon(_tip_picture, Rect2(7, 7, 50, 52))
	badge.add_child(_tip_icon)
	_tip = UiKit.place(UiKit.label("", 19), Rect2(82, 6, 186, 122), HORIZONTAL_ALIGNMENT_LEFT)
	_tip.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_tip.add_theme_constant_override("line_spacing", -1)
	_tip_panel.add_child(_tip)
	_undo = UiKit.button("Undo", Rect2(16, 492, 274, 52), Art.tile("signLeft"), "Z")
	_restart = UiKit.button("Restart", Rect2(16, 550, 274, 52), Art.tile("leverLeft"), "R")
	var map: Button = UiKit.button("Pond map", Rect2(16, 608, 274, 52), Art.tile("signExit"), "ESC")
	_undo.pressed.connect(undo_pressed.emit)
	_restart.pressed.connect(restart_pressed.emit)
	map.pressed.connect(map_pressed.emit)
	for button: Button in [_undo, _restart, map] as Array[Button]:
		card.add_child(button)
	advise()


func refresh(state: PondState, used: int, budget: int, rules: PondRules) -> void:
	var left: int = budget - used
	_moves.text = str(left)
	var low: bool = left <= 2
	_moves.add_theme_color_override("font_color", Art.ALERT if low else Art.INK)
	_gauge.size.x = maxf(18.0, GAUGE_WIDE * left / budget)
	_gauge_box.bg_color = Art.ALERT if low else Art.PINE if used <= _thresholds[0] else Art.SUN
	for i: int in _star_lines.size():
		_star_lines[i].modulate.a = 1.0 if used <= _thresholds[i] else 0.3
	var done: int = 0
	for i: int in _goal_icons.size():
		var home: bool = state.delivered & (1 << i) != 0
		done += int(home)
		_goal_icons[i].get_node("Tick").visible = home
		_goal_icons[i].get_node("Flag").modulate.a = 0.35 if home else 1.0
	_goals.text = "%d / %d" % [done, rules.parcel_colors.size()]
	for pair: Array in _pocket:
		(pair[0] as Control).modulate = Color.WHITE if state.held[pair[1]] > 0 else Color(0.25, 0.35, 0.55, 0.28)
	_undo.modulate.a = 1.0 if used > 0 else 0.55


## Shows the pond's own advice.
func advise() -> void:
	_say(_tip_text, _tip_picture, Color("e2f2fb"), Art.FROST)


## Shows a warning in its place until the situation changes.
func warn(text: String) -> void:
	if not _say(text, Art.courier("fall"), Color("ffe3c4"), Art.EMBER):
		return
	_tip_panel.pivot_offset = _tip_panel.size / 2.0
	UiKit.nudge(_tip_panel)


func nudge_undo() -> void:
	UiKit.nudge(_undo)


func nudge_restart() -> void:
	UiKit.nudge(_restart)


func pop_moves() -> void:
	_moves.pivot_offset = _moves.size / 2.0
	_moves.scale = Vector2(1.25, 1.25)
	_moves.create_tween().tween_property(_moves, "scale", Vector2.ONE, 0.2)


## Returns whether anything changed; asked every frame, so it must be cheap when nothing did.
func _say(text: String, picture: Texture2D, fill: Color, rim: Color) -> bool:
	if _tip.text == text:
		return false
	_tip.text = text
	_tip_icon.texture = picture
	_tip_panel.add_theme_stylebox_override("panel", UiKit.box(fill, rim, 16, 3, 0))
	return true


func _build_moves(card: Panel, pond: Dictionary) -> void:
	var panel: Panel = UiKit.panel(Rect2(16, 104, 274, 128), UiKit.box(Color.WHITE, Art.FROST, 16, 3, 0))
	card.add_child(panel)
	_moves = UiKit.place(UiKit.heading("0", 54), Rect2(10, 4, 108, 62))
	panel.add_child(_moves)
	panel.add_child(UiKit.place(UiKit.label("moves left", 18, Art.SLATE), Rect2(8, 64, 112, 26)))
	_thresholds = PondLibrary.thresholds(pond)
	for i: int in 3:
		var line := Control.new()
		line.position = Vector2(126, 10 + i * 27)
		var stars: Node2D = UiKit.star_row(3 - i, 22.0)
		stars.position = Vector2(38, 13)
		line.add_child(stars)
		line.add_child(UiKit.place(UiKit.label("in %d" % _thresholds[i], 18), Rect2(76, 0, 66, 26), HORIZONTAL_ALIGNMENT_LEFT))
		panel.add_child(line)
		_star_lines.append(line)
	var trough: Panel = UiKit.panel(Rect2(14, 98, GAUGE_WIDE, 18), UiKit.box(Color("d3e4ef"), Color("b4cede"), 9, 2, 0))
	panel.add_child(trough)
	_gauge_box = UiKit.box(Art.PINE, Color(0, 0, 0, 0.14), 9, 2, 0)
	_gauge = UiKit.panel(Rect2(0, 0, GAUGE_WIDE, 18), _gauge_box)
	trough.add_child(_gauge)


func _build_goals(card: Panel, rules: PondRules) -> void:
	var panel: Panel = UiKit.panel(Rect2(16, 242, 274, 96), UiKit.box(Color.WHITE, Art.FROST, 16, 3, 0))
	card.add_child(panel)
	panel.add_child(UiKit.place(UiKit.label("Delivered", 18, Art.SLATE), Rect2(14, 6, 110, 24), HORIZONTAL_ALIGNMENT_LEFT))
	_goals = UiKit.place(UiKit.heading("0 / 0", 22), Rect2(112, 4, 70, 28), HORIZONTAL_ALIGNMENT_LEFT)
	panel.add_child(_goals)
	for i: int in rules.parcel_colors.size():
		var slot := Control.new()
		slot.position = Vector2(12 + i * 58, 36)
		var flag: TextureRect = UiKit.icon(Art.item("flag%s1" % Art.FLAG_NAMES[rules.parcel_colors[i]]), Rect2(2, 0, 48, 48))
		flag.name = "Flag"
		slot.add_child(flag)
		var tick := Node2D.new()
		tick.name = "Tick"
		tick.add_child(Art.sprite(Art.tile("boxCrate_double"), Vector2(24, 26), 40))
		tick.add_child(Art.sprite(Art.item("star"), Vector2(38, 14), 50))
		slot.add_child(tick)
		panel.add_child(slot)
		_goal_icons.append(slot)
	var colors: Array[int] = []
	for cell: Vector2i in rules.keys:
		colors.append(rules.keys[cell])
	if colors.is_empty():
		return
	panel.add_child(UiKit.place(UiKit.label("Pocket", 18, Art.SLATE), Rect2(190, 6, 72, 24)))
	for i: int in colors.size():
		var key: TextureRect = UiKit.icon(Art.item("key" + Art.KEY_NAMES[colors[i]]), Rect2(190 + i * 40 - (colors.size() - 1) * 20, 26, 72, 72))
		panel.add_child(key)
		_pocket.append([key, colors[i]])
