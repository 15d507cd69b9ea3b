extends Control
## The first screen: the name, a hand of court cards above the embers, and the way in.

signal begin_asked

const CARD_VIEW: PackedScene = preload("res://scenes/card_view.tscn")
const RULES: PackedScene = preload("res://scenes/how_to_play.tscn")
const HAND: Array[Array] = [["clubs", 12], ["diamonds", 13], ["spades", 1], ["hearts", 12], ["spades", 11]]

var _clock: float = 0.0
var _fan: Array[CardView] = []
var _torches: Array[TextureRect] = []
var _glows: Array[TextureRect] = []
var _lava: TextureRect
var _name: Node2D
var _hero: Sprite2D
var _rules: Node = null


func _ready() -> void:
	UiKit.tiled(self, UiKit.art("tiles/brickBrown"), Rect2(0, 0, 1280, 720), Color(0.36, 0.24, 0.3))
	for x: float in [64.0, 1216.0]:
		_glows.append(_glow(Vector2(x, 120), 520.0))
		_torches.append(UiKit.picture(self, UiKit.art("tiles/torch1"), Rect2(x - 70, 64, 140, 140)))
	_build_fan()
	_build_name()
	_lava = UiKit.tiled(self, UiKit.art("tiles/lavaTop_low"), Rect2(-128, 592, 1664, 128), Color(1.0, 0.92, 0.86))
	_hero = Sprite2D.new()
	_hero.position = Vector2(930, 556)
	_hero.scale = Vector2.ONE * 1.5
	_hero.texture = UiKit.art("hero/femaleAdventurer_idle")
	var rock: TextureRect = UiKit.picture(self, UiKit.art("tiles/rock"), Rect2(810, 546, 240, 140))
	rock.modulate = Color(0.62, 0.5, 0.54)
	add_child(_hero)
	UiKit.vignette(self, 0.75)
	UiKit.motes(self, UiKit.art("motes/treeBrown_small"), Color(1.0, 0.7, 0.3, 0.95), -70.0, 26)
	_build_menu()


func _glow(at: Vector2, size: float) -> TextureRect:
	var gradient := Gradient.new()
	gradient.set_color(0, Color(1.0, 0.6, 0.2, 0.5))
	gradient.set_color(1, Color(1.0, 0.4, 0.1, 0.0))
	var texture := GradientTexture2D.new()
	texture.gradient = gradient
	texture.fill = GradientTexture2D.FILL_RADIAL
	texture.fill_from = Vector2(0.5, 0.5)
	texture.fill_to = Vector2(1.0, 0.5)
	return UiKit.picture(self, texture, Rect2(at - Vector2.ONE * size / 2.0, Vector2.ONE * size))


func _build_fan() -> void:
	for i: int in HAND.size():
		var view: CardView = CARD_VIEW.instantiate()
		add_child(view)
		view.setup(CourtCard.new(HAND[i][0], HAND[i][1]), "cardBack_red4")
		view.show_text(false, false)
		_fan.append(view)


func _build_name() -> void:
	_name = Node2D.new()
	_name.position = Vector2(350, 190)
	add_child(_name)
	UiKit.symbol(_name, "king", Rect2(-60, -150, 120, 82), UiKit.EMBER)
	for line: Array in [["Ember", -64.0, UiKit.GOLD], ["Court", 44.0, UiKit.EMBER.lightened(0.12)]]:
		var word: Label = UiKit.label(_name, line[0], Rect2(-320, float(line[1]) - 40.0, 640, 128), 124, line[2])
		word.add_theme_constant_override("outline_size", 22)
		word.add_theme_color_override("font_shadow_color", Color(0, 0, 0, 0.5))
		word.add_theme_constant_override("shadow_offset_y", 9)
		word.add_theme_constant_override("shadow_outline_size", 22)
	UiKit.label(self, "One deck, three floors, a throne of ash", Rect2(90, 348, 520, 34), 23, UiKit.CREAM, false)


func _build_menu() -> void:
	var begin: Button = UiKit.button(self, "Begin the climb", Rect2(190, 402, 320, 78), UiKit.EMBER, 34)
	begin.pressed.connect(begin_asked.emit)
	var rules: Button = UiKit.button(self, "How to play", Rect2(190, 494, 320, 64), Color("4d6d8f"), 27)
	rules.pressed.connect(_open_rules)
	UiKit.label(self, "Enter  begin      H  rules", Rect2(190, 566, 320, 30), 18, UiKit.SAND, false)


func _open_rules() -> void:
	if _rules != null:
		return
	_rules = RULES.instantiate()
	add_child(_rules)
	_rules.connect("closed", _close_rules)


func _close_rules() -> void:
	_rules.queue_free()
	_rules = null


func _unhandled_input(event: InputEvent) -> void:
	if _rules != null or not event is InputEventKey or not event.is_pressed() or event.is_echo():
		return
	match (event as InputEventKey).keycode:
		KEY_ENTER, KEY_SPACE:
			begin_asked.emit()
		KEY_H:
			_open_rules()


func _process(delta: float) -> void:
	_clock += delta
	for i: int in _fan.size():
		var lean: float = (i - 2) * 0.25
		var sway: float = sin(_clock * 1.4 + i * 0.8)
		# The hand opens once, then breathes.
		var spread: float = ease(clampf(_clock * 1.6, 0.0, 1.0), 0.25)
		_fan[i].rotation = lean * spread + sway * 0.012
		_fan[i].position = Vector2(930, 740) + Vector2(0, -460 - sway * 5.0).rotated(lean * spread)
		_fan[i].scale = Vector2.ONE * 1.14
	for i: int in _torches.size():
		_torches[i].texture = UiKit.art("tiles/torch1" if int(_clock * 7.0 + i) % 2 == 0 else "tiles/torch2")
		_glows[i].modulate.a = 0.85 + 0.15 * sin(_clock * 8.0 + i * 2.0)
	_lava.position.x = -128.0 + fmod(_clock * 22.0, 128.0)
	_name.position.y = 190.0 + sin(_clock * 1.7) * 4.0
	_hero.position.y = 540.0 + sin(_clock * 2.4) * 2.0
