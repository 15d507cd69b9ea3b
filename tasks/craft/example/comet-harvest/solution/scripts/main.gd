extends Node2D
## The rules of the harvest: what a catch, a miss and a knock do, and how a night ends.

const GROUND_Y := 640.0
const FULL_COMBO := 10
const BURST: PackedScene = preload("res://scenes/burst.tscn")
const GLOW: Texture2D = preload("res://look/glow.tres")
const ADD: Material = preload("res://look/add.tres")
const DEBRIS: Texture2D = preload("res://art/space/meteorGrey_small1.png")
const NIGHTS: Array[Dictionary] = [
	{
		"goal": 40, "waves": ["Rain", "Zigzag"], "gap": 0.52, "fall": 215.0, "meteor_gap": 2.6,
		"seed": 11, "sky": Color(1.0, 1.0, 1.0),
	},
	{
		"goal": 80, "waves": ["Zigzag", "Ring"], "gap": 0.47, "fall": 235.0, "meteor_gap": 1.7,
		"seed": 22, "sky": Color(0.62, 1.15, 1.2),
	},
	{
		"goal": 120, "waves": ["Ring", "Rain", "Zigzag"], "gap": 0.43, "fall": 255.0, "meteor_gap": 1.2,
		"seed": 33, "sky": Color(1.5, 0.8, 0.85),
	},
]

var _night: int = 0
var _light: int = 0
var _total_light: int = 0
var _combo: int = 0
var _best_combo: int = 0
var _playing: bool = false
var _shake: float = 0.0
var _shake_time: float = 0.0

@onready var _world: Node2D = $World
@onready var _sky: TextureRect = $World/Sky
@onready var _comet: Comet = $World/Comet
@onready var _things: Node2D = $World/Things
@onready var _ship: Ship = $World/Ship
@onready var _hud: Hud = $Hud


func _ready() -> void:
	_comet.shed.connect(func(thing: Falling) -> void: _things.add_child(thing))
	_comet.wave_began.connect(_hud.show_wave)
	_hud.play_pressed.connect(func() -> void: _start_night(_night, 3))
	_hud.title_pressed.connect(_go_to_title)
	_go_to_title()
	_apply_scenario()


func _process(delta: float) -> void:
	_shake = move_toward(_shake, 0.0, delta * 40.0)
	# Two fast waves that never meet look random, yet every replay shakes alike.
	_shake_time += delta
	_world.position = Vector2(sin(_shake_time * 71.0), cos(_shake_time * 53.0)) * _shake
	if not _playing:
		return
	_comet.advance(delta, _ship.position.x)
	for thing: Falling in _things.get_children():
		thing.advance(delta)
		if thing.position.distance_to(_ship.position) < thing.reach():
			_touch(thing)
		elif thing.position.y > GROUND_Y:
			_land(thing)
		if not _playing:
			return
	_hud.show_boost(_ship.charge)


func _unhandled_key_input(event: InputEvent) -> void:
	if _playing and event.is_action_pressed(&"ui_cancel"):
		_go_to_title()


func _go_to_title() -> void:
	_playing = false
	_night = 0
	_total_light = 0
	_comet.shedding = false
	_comet.cruise_y = 95.0
	_clear_sky()
	_ship.arrive(3)
	_ship.steerable = false
	_sky.self_modulate = NIGHTS[0]["sky"]
	_hud.show_title()


func _start_night(index: int, shield: int, light: int = 0) -> void:
	_night = index
	_light = light
	_combo = 0
	_best_combo = 0
	_clear_sky()
	_ship.arrive(shield)
	_comet.begin(NIGHTS[index])
	create_tween().tween_property(_sky, "self_modulate", NIGHTS[index]["sky"], 1.0)
	_hud.show_night(index + 1, NIGHTS[index]["goal"])
	_refresh_hud()
	_playing = true


func _touch(thing: Falling) -> void:
	if thing.kind == Falling.Kind.METEOR:
		if not _ship.is_safe():
			_knock(thing)
		return
	_combo += 1
	_best_combo = maxi(_best_combo, _combo)
	var gain: int = thing.value * _multiplier()
	_light += gain
	_ship.flash(thing.color)
	_burst(thing.position, Color.WHITE)
	_glow(thing.position, thing.color, 1.8)
	_hud.pop("+%d" % gain, thing.position, thing.color)
	if thing.kind == Falling.Kind.REPAIR and _ship.shield < 3:
		_ship.shield += 1
		_hud.pop("Shield mended", thing.position - Vector2(0, 40), thing.color)
	thing.queue_free()
	_refresh_hud()
	if _light >= NIGHTS[_night]["goal"]:
		_end_night(true)


func _knock(meteor: Falling) -> void:
	_ship.knock(meteor.position.x)
	_combo = 0
	_shake = 16.0
	_burst(meteor.position, Color(1.0, 0.7, 0.6), DEBRIS)
	_glow(_ship.position, Color(1.0, 0.4, 0.3), 3.5)
	_hud.pop("Knocked!", _ship.position - Vector2(0, 60), Color(1.0, 0.5, 0.4))
	meteor.queue_free()
	_refresh_hud()
	if _ship.shield == 0:
		_burst(_ship.position, Color(1.0, 0.7, 0.3))
		_glow(_ship.position, Color(1.0, 0.6, 0.25), 7.0)
		_end_night(false)


## What reaches the ground: meteors shatter; a lost gem or star breaks the combo.
func _land(thing: Falling) -> void:
	if thing.kind == Falling.Kind.METEOR:
		_burst(thing.position, Color(0.8, 0.75, 0.9), DEBRIS)
		_shake = maxf(_shake, 4.0)
	else:
		_burst(thing.position, Color(0.5, 0.45, 0.65))
		# A streak of one or two is not worth words.
		if _combo > 2:
			_hud.pop("Combo lost", thing.position, Color(0.78, 0.72, 0.92))
		_combo = 0
	thing.queue_free()
	_refresh_hud()


func _end_night(won: bool) -> void:
	_playing = false
	_comet.shedding = false
	if won:
		_ship.depart()
		_total_light += _light
	for thing: Falling in _things.get_children():
		_burst(thing.position, Color.WHITE)
		thing.queue_free()
	# A breath, so that the last catch or the last knock is seen before the card covers it.
	await get_tree().create_timer(1.0).timeout
	_hud.show_tally(_light, NIGHTS[_night]["goal"], _best_combo, _ship.shield)
	if not won:
		_hud.show_result(false, "Ship lost", "The meteors won, but the comet is still up there.", "Try again")
	elif _night < NIGHTS.size() - 1:
		_night += 1
		_hud.show_result(true, "Night %d gathered!" % _night, "The comet moves on, and so do you.", "Next night")
	else:
		_hud.show_result(
			true, "The harvest is home!", "Three nights, one full hold: %d light in all." % _total_light, "Harvest again"
		)
		_night = 0
		_total_light = 0


func _multiplier() -> int:
	return 1 + floori(mini(_combo, FULL_COMBO) / 5.0)


func _refresh_hud() -> void:
	_hud.show_light(_light, NIGHTS[_night]["goal"])
	_hud.show_combo(_combo, _multiplier())
	_hud.show_shield(_ship.shield)


func _clear_sky() -> void:
	for thing: Node in _things.get_children():
		thing.free()


func _burst(at: Vector2, tint: Color, picture: Texture2D = null) -> void:
	var burst: CPUParticles2D = BURST.instantiate()
	burst.position = at
	burst.color = tint
	if picture:
		burst.texture = picture
		burst.scale_amount_max = 0.9
	burst.finished.connect(burst.queue_free)
	_world.add_child(burst)
	burst.restart()


## A light that swells and fades.
func _glow(at: Vector2, tint: Color, size: float) -> void:
	var glow := Sprite2D.new()
	glow.texture = GLOW
	glow.material = ADD
	glow.position = at
	glow.modulate = tint
	_world.add_child(glow)
	var swell: Tween = glow.create_tween().set_parallel()
	swell.tween_property(glow, "scale", Vector2.ONE * size, 0.45).set_ease(Tween.EASE_OUT)
	swell.tween_property(glow, "modulate:a", 0.0, 0.45)
	swell.finished.connect(glow.queue_free)


## `--scenario <id>` starts in the middle of the harvest, for demos.
func _apply_scenario() -> void:
	var args: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = args.find("--scenario")
	match args[at + 1] if at >= 0 and at + 1 < args.size() else "":
		"worn_shield":
			_start_night(1, 2, 14)
		"last_light":
			_total_light = NIGHTS[0]["goal"] + NIGHTS[1]["goal"]
			_start_night(2, 3, 92)
