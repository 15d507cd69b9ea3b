extends Control
## How the climb ended, and what it came to.

const CARD_VIEW: PackedScene = preload("res://scenes/card_view.tscn")

signal again_asked
signal title_asked

var _clock: float = 0.0
var _won: bool = false
var _hero: Sprite2D


func show_run(run: CourtRun) -> void:
	_won = run.outcome == "won"
	var tint := Color(0.62, 0.42, 0.32) if _won else Color(0.2, 0.2, 0.27)
	UiKit.tiled(self, UiKit.art("tiles/brickBrown" if _won else "tiles/brickGrey"), Rect2(0, 0, 1280, 720), tint)
	UiKit.vignette(self, 0.7)
	var mote: String = "items/star" if _won else "motes/treeBrown_small"
	var mote_tint := Color(1, 0.9, 0.5, 0.9) if _won else Color(0.4, 0.36, 0.4, 0.8)
	UiKit.motes(self, UiKit.art(mote), mote_tint, 60.0 if _won else 36.0, 30)
	UiKit.panel(self, Rect2(90, 150, 1100, 444), UiKit.wood(Color(0.62, 0.45, 0.42) if _won else Color(0.42, 0.38, 0.44)))
	_heading(run)
	_portrait(run)
	_summary(run)
	_kings(run)
	var again: Button = UiKit.button(self, "Climb again", Rect2(390, 614, 270, 76), UiKit.EMBER, 31)
	again.pressed.connect(again_asked.emit)
	var title: Button = UiKit.button(self, "Title", Rect2(690, 614, 200, 76), Color("4d6d8f"), 31)
	title.pressed.connect(title_asked.emit)


func _heading(run: CourtRun) -> void:
	var words: String = "The ember is yours" if _won else "The light goes out"
	var heading: Label = UiKit.label(self, words, Rect2(140, 24, 1000, 84), 66, UiKit.GOLD if _won else Color("b9b3c9"))
	heading.add_theme_constant_override("outline_size", 16)
	var line: String = "Three kings have fallen and the court burns warm again." if _won \
		else "Wren fell on floor %s, %s." % [run.floor_data()["numeral"], run.floor_data()["name"]]
	UiKit.label(self, line, Rect2(140, 104, 1000, 36), 23, UiKit.CREAM, false)


func _portrait(run: CourtRun) -> void:
	UiKit.tiled(self, UiKit.art("tiles/lava" if _won else "tiles/planetCenter"), Rect2(130, 190, 256, 364),
		Color(0.8, 0.62, 0.56) if _won else Color(0.34, 0.34, 0.44))
	var frame: StyleBoxFlat = UiKit.flat(Color(0, 0, 0, 0), UiKit.GOLD.darkened(0.2) if _won else Color("77708a"), 5, 10)
	frame.draw_center = false
	UiKit.panel(self, Rect2(126, 186, 264, 372), frame)
	for x: float in [128.0, 282.0]:
		UiKit.picture(self, UiKit.art("tiles/torch1" if _won else "tiles/torchOff"), Rect2(x, 200, 106, 106))
	if _won:
		UiKit.symbol(self, "king", Rect2(198, 206, 120, 84), UiKit.GOLD)
	_hero = Sprite2D.new()
	_hero.scale = Vector2.ONE * 1.7
	_hero.position = Vector2(258, 396)
	add_child(_hero)
	if not _won:
		_hero.modulate = Color(0.62, 0.6, 0.72)
	UiKit.panel(self, Rect2(136, 506, 244, 44), UiKit.flat(Color(UiKit.NIGHT, 0.88), Color("6b4a2b"), 2, 12))
	UiKit.label(self, _rank(run), Rect2(136, 506, 244, 42), 22, UiKit.GOLD)


func _rank(run: CourtRun) -> String:
	if _won:
		return "Keeper of the Ember" if run.health >= 12 else "Ash-Scarred Heir"
	return ["Gate Wanderer", "Gallery Diver", "Throne Breaker"][run.floor_index]


func _summary(run: CourtRun) -> void:
	var rows: Array[Array] = [
		["creatures/fishGreen", "Adversaries felled", run.stats["foes"]],
		["items/coinGold", "Kings brought down", run.stats["kings"]],
		["items/gemRed", "Wounds suffered", run.stats["wounds"]],
		["items/gemGreen", "Health restored", run.stats["healed"]],
		["items/star", "Blades flung", run.stats["flung"]],
		["items/flagGreen1", "Chambers slipped past", run.stats["slips"]],
	]
	for i: int in rows.size():
		var y: float = 178.0 + i * 49.0
		UiKit.panel(self, Rect2(412, y, 440, 44), UiKit.flat(Color(UiKit.NIGHT, 0.66), Color("6b4a2b"), 2, 10))
		UiKit.picture(self, UiKit.art(rows[i][0]), Rect2(422, y + 2, 40, 40))
		UiKit.label(self, rows[i][1], Rect2(474, y, 290, 44), 22, UiKit.CREAM, false, HORIZONTAL_ALIGNMENT_LEFT)
		UiKit.label(self, str(rows[i][2]), Rect2(740, y, 96, 44), 28, UiKit.GOLD, true, HORIZONTAL_ALIGNMENT_RIGHT)
	UiKit.label(self, "Boons carried", Rect2(430, 484, 190, 70), 23, UiKit.SAND, false, HORIZONTAL_ALIGNMENT_LEFT)
	if run.boons.is_empty():
		UiKit.label(self, "none yet", Rect2(640, 484, 300, 70), 23, UiKit.SAND, false, HORIZONTAL_ALIGNMENT_LEFT)
	for i: int in run.boons.size():
		var boon: Dictionary = Boons.ALL[run.boons[i]]
		UiKit.picture(self, load(boon["art"]), Rect2(628 + i * 264, 488, 62, 62))
		UiKit.label(self, boon["name"], Rect2(696 + i * 264, 484, 200, 70), 21, UiKit.GOLD, true, HORIZONTAL_ALIGNMENT_LEFT)


## The three kings: those who fell show their faces, the others still wait.
func _kings(run: CourtRun) -> void:
	UiKit.panel(self, Rect2(868, 178, 288, 289), UiKit.flat(Color(UiKit.NIGHT, 0.66), Color("6b4a2b"), 2, 12))
	for i: int in Floors.ALL.size():
		var who: Array = Floors.ALL[i]["boss"]
		var view: CardView = CARD_VIEW.instantiate()
		add_child(view)
		view.setup(CourtCard.new(who[0], who[1]), Floors.ALL[i]["back"])
		view.show_text(false, false)
		view.show_back(i >= run.stats["kings"])
		view.settle(Vector2(1012 + (i - 1) * 74, 298 + absi(i - 1) * 14), 0.0)
		view.glide(view.position, 0.74, 0.3 + i * 0.14, (i - 1) * 0.16)
	UiKit.label(self, "%d of 3 kings fallen" % run.stats["kings"], Rect2(868, 414, 288, 44), 22, UiKit.GOLD)


func _process(delta: float) -> void:
	_clock += delta
	if _hero == null:
		return
	_hero.texture = UiKit.art("hero/femaleAdventurer_" + (("jump" if fmod(_clock, 1.0) < 0.45 else "idle") if _won else "fall"))
	_hero.position.y = 396.0 - (absf(sin(_clock * PI)) * 22.0 if _won else 0.0)
	_hero.rotation = 0.0 if _won else 0.18 + sin(_clock * 1.2) * 0.03


func _unhandled_input(event: InputEvent) -> void:
	if not event is InputEventKey or not event.is_pressed() or event.is_echo():
		return
	match (event as InputEventKey).keycode:
		KEY_ENTER, KEY_SPACE:
			again_asked.emit()
		KEY_ESCAPE:
			title_asked.emit()
