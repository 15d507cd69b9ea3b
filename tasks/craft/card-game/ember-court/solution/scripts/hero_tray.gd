class_name HeroTray
extends Node2D
## The lower edge of the screen: Wren and her health, her blade and how she uses it, her satchel,
## and the two ways out of a chamber.

signal stance_chosen(stance: CourtRun.Stance)
signal press_on_asked
signal slip_asked

const HERO_AT := Vector2(92, 602)
const BLADE_AT := Vector2(482, 592)
const BLADE_SCALE := 0.72
const POCKETS: Array[Vector2] = [Vector2(800, 588), Vector2(914, 588)]
const POCKET_SCALE := 0.66
const BAR := Rect2(204, 556, 176, 34)

var _hero: Sprite2D
var _hero_pose: String = "idle"
var _pose_left: float = 0.0
var _clock: float = 0.0
var _walking: bool = false
var _fill: Panel
var _doomed: Panel
var _health_text: Label
var _shown_health: float = -1.0
var _health: int = 0
var _full_health: int = 1
var _threat: int = 0
var _stances: Array[Button] = []
var _boon_slots: Array[TextureRect] = []
var _pips: Array[TextureRect] = []
var _felled_text: Label
var _count_text: Label
var _lock: TextureRect
var _press: Button
var _slip: Button
var _blade_hint: Label
var _drop_marks: Dictionary[String, Panel] = {}


func _ready() -> void:
	_build_hero()
	_build_blade()
	_build_satchel()
	_build_ways_out()


func _build_hero() -> void:
	UiKit.panel(self, Rect2(14, 498, 388, 212), UiKit.wood())
	UiKit.tiled(self, UiKit.art("tiles/stoneCenter"), Rect2(36, 522, 112, 160), Color(0.5, 0.42, 0.5))
	var frame: StyleBoxFlat = UiKit.flat(Color(0, 0, 0, 0), UiKit.GOLD.darkened(0.25), 4, 8)
	frame.draw_center = false
	frame.shadow_size = 0
	UiKit.panel(self, Rect2(33, 519, 118, 166), frame)
	_hero = Sprite2D.new()
	_hero.position = HERO_AT
	_hero.scale = Vector2.ONE * 1.14
	add_child(_hero)
	UiKit.label(self, "Wren", Rect2(162, 516, 110, 34), 28, UiKit.GOLD, true, HORIZONTAL_ALIGNMENT_LEFT)
	_felled_text = UiKit.label(self, "", Rect2(240, 519, 142, 30), 18, UiKit.SAND, false, HORIZONTAL_ALIGNMENT_RIGHT)
	UiKit.symbol(self, "hearts", Rect2(160, 553, 40, 40), UiKit.BLOOD)
	UiKit.panel(self, BAR.grow(4), UiKit.flat(UiKit.NIGHT, Color("6b4a2b"), 3, 12))
	_fill = _bar_part(UiKit.BLOOD)
	_doomed = _bar_part(Color("ffb347"))
	_health_text = UiKit.label(self, "", BAR, 24)
	UiKit.label(self, "Boons", Rect2(160, 622, 64, 40), 20, UiKit.SAND, false, HORIZONTAL_ALIGNMENT_LEFT)
	for i: int in 2:
		var spot := Rect2(236 + i * 74, 610, 64, 64)
		UiKit.panel(self, spot, UiKit.flat(Color(UiKit.NIGHT, 0.75), Color("6b4a2b"), 3, 12))
		_boon_slots.append(UiKit.picture(self, null, spot.grow(-6)))


func _bar_part(colour: Color) -> Panel:
	var style: StyleBoxFlat = UiKit.flat(colour, colour.lightened(0.25), 0, 8)
	style.border_width_top = 5
	style.shadow_size = 0
	return UiKit.panel(self, BAR, style)


func _build_blade() -> void:
	UiKit.panel(self, Rect2(406, 498, 318, 212), UiKit.wood())
	_slot(BLADE_AT, BLADE_SCALE, "blade")
	_blade_hint = UiKit.paragraph(self, "No\nblade", Rect2(BLADE_AT - Vector2(45, 28), Vector2(90, 56)), 20, UiKit.SAND)
	for i: int in 3:
		var button: Button = UiKit.button(self, "", Rect2(546, 520 + i * 57, 158, 52), UiKit.PLUM, 22)
		button.pressed.connect(stance_chosen.emit.bind(i))
		_stances.append(button)


func _build_satchel() -> void:
	UiKit.panel(self, Rect2(728, 498, 260, 212), UiKit.wood())
	_slot(POCKETS[0], POCKET_SCALE, "satchel")
	_slot(POCKETS[1], POCKET_SCALE, "pocket")
	_lock = UiKit.picture(self, UiKit.art("tiles/lockYellow"), Rect2(POCKETS[1] - Vector2(26, 26), Vector2(52, 52)))
	_lock.modulate = Color(0.75, 0.65, 0.6)
	UiKit.label(self, "Satchel", Rect2(740, 660, 236, 30), 20, UiKit.SAND)


func _build_ways_out() -> void:
	UiKit.panel(self, Rect2(992, 498, 274, 212), UiKit.wood())
	_count_text = UiKit.label(self, "Taken", Rect2(1014, 517, 230, 34), 20, UiKit.SAND, false, HORIZONTAL_ALIGNMENT_LEFT)
	for i: int in CourtRun.MUST_TAKE:
		_pips.append(UiKit.picture(self, UiKit.art("items/gemYellow"), Rect2(1084 + i * 54, 506, 56, 56)))
	_press = UiKit.button(self, "Press on", Rect2(1012, 556, 234, 64), UiKit.EMBER, 28)
	_press.pressed.connect(press_on_asked.emit)
	_slip = UiKit.button(self, "Slip past", Rect2(1012, 628, 234, 56), Color("4d6d8f"), 24)
	_slip.pressed.connect(slip_asked.emit)


func _slot(at: Vector2, size: float, drop: String) -> void:
	var half: Vector2 = CardView.SIZE * size / 2.0
	var rect := Rect2(at - half, half * 2.0)
	UiKit.panel(self, rect, UiKit.flat(Color(UiKit.NIGHT, 0.7), Color("8a6038"), 3, 10))
	var mark: Panel = UiKit.panel(self, rect.grow(5), UiKit.flat(Color(1, 0.8, 0.3, 0.25), UiKit.GOLD, 4, 12))
	mark.visible = false
	_drop_marks[drop] = mark


## Lights up the places where a dragged card could go.
func mark_drops(names: Array[String]) -> void:
	for drop: String in _drop_marks:
		_drop_marks[drop].visible = names.has(drop)


func drop_at(point: Vector2) -> String:
	for drop: String in _drop_marks:
		if _drop_marks[drop].get_global_rect().grow(12).has_point(point):
			return drop
	if Rect2(14, 498, 140, 212).has_point(point):
		return "hero"
	return ""


func boon_at(point: Vector2) -> int:
	for i: int in _boon_slots.size():
		if _boon_slots[i].get_global_rect().grow(6).has_point(point):
			return i
	return -1


func refresh(run: CourtRun, stance: CourtRun.Stance) -> void:
	# The bar glides to every new value, but it does not fill up when the table is first seen.
	if _shown_health < 0.0:
		_shown_health = run.health
	_full_health = run.max_health
	_health = run.health
	_blade_hint.visible = run.blade == null
	_lock.visible = run.satchel_size() < 2
	_felled_text.text = "%d felled" % run.stats["foes"]
	var names: Array[String] = ["Strike", "Fling", "Fists"]
	var colours: Array[Color] = [Color("3f79ad"), Color("7d56a8"), Color("8a5a34")]
	for i: int in 3:
		var worth: int = run.blade_worth(i) if i < 2 else 0
		if run.in_boss_chamber():
			worth = run.blow_on_boss(i) if i == 2 or run.blade != null else 0
		_stances[i].text = "%s  %d" % [names[i], worth] if run.blade != null or i == 2 else names[i]
		_stances[i].disabled = run.blade == null and i < 2
		var chosen: bool = run.usable(stance) == i
		UiKit.paint_button(_stances[i], colours[i].lightened(0.1) if chosen else colours[i].darkened(0.5))
		if chosen:
			var face: StyleBoxFlat = UiKit.key_face(colours[i].lightened(0.1), 7)
			face.border_color = UiKit.GOLD
			face.set_border_width_all(4)
			_stances[i].add_theme_stylebox_override("normal", face)
	show_taken(run.taken)
	_count_text.text = "No way past a king" if run.in_boss_chamber() else "Taken"
	for pip: TextureRect in _pips:
		pip.visible = not run.in_boss_chamber()
	_press.disabled = not run.can_press_on()
	_slip.disabled = not run.can_slip()
	for i: int in _boon_slots.size():
		_boon_slots[i].texture = load(Boons.ALL[run.boons[i]]["art"]) if i < run.boons.size() else null


func show_taken(taken: int) -> void:
	for i: int in _pips.size():
		_pips[i].modulate = Color.WHITE if taken > i else Color(0.25, 0.2, 0.25, 0.8)


func show_health(now: int, full: int) -> void:
	_health = now
	_full_health = full


## The part of the bar that the hovered fight would cost.
func show_threat(amount: int) -> void:
	_threat = amount


## Strikes a pose for a moment: "jump" for joy, "fall" when hurt.
func pose(which: String, seconds: float) -> void:
	_hero_pose = which
	_pose_left = seconds
	if which == "fall":
		_hero.modulate = Color(2.2, 0.6, 0.6)
		create_tween().tween_property(_hero, "modulate", Color.WHITE, 0.4)


func walk(on: bool) -> void:
	_walking = on


func _process(delta: float) -> void:
	_clock += delta
	_pose_left -= delta
	if _pose_left <= 0.0:
		_hero_pose = "walk%d" % (int(_clock * 12.0) % 8) if _walking else "idle"
	_hero.texture = UiKit.art("hero/femaleAdventurer_" + _hero_pose)
	var hop: float = 0.0 if _hero_pose != "jump" else -10.0 * absf(sin(_pose_left * 9.0))
	_hero.position = HERO_AT + Vector2(0, hop + sin(_clock * 2.6) * 1.5)
	if _shown_health < 0.0:
		return
	_shown_health = lerpf(_shown_health, _health, minf(delta * 9.0, 1.0))
	var share: float = clampf(_shown_health / _full_health, 0.0, 1.0)
	var lost: float = clampf(float(_threat) / _full_health, 0.0, share)
	_fill.size.x = maxf(BAR.size.x * share, 1.0)
	_fill.visible = share > 0.02
	_doomed.visible = lost > 0.0
	_doomed.position.x = BAR.position.x + BAR.size.x * (share - lost)
	_doomed.size.x = BAR.size.x * lost
	_doomed.modulate.a = 0.65 + 0.35 * sin(_clock * 9.0)
	_health_text.text = "%d / %d" % [roundi(_shown_health), _full_health]
