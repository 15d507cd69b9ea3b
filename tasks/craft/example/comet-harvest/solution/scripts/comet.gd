class_name Comet
extends Node2D
## The comet sweeps across the sky and sheds what the night's waves ask for; meteors come with it.

signal shed(thing: Falling)
signal wave_began(pattern: String)

const FALLING: PackedScene = preload("res://scenes/falling.tscn")
const WAVE_SECONDS := 6.0
const RING_SIZE := 6

var shedding: bool = false
## How high it flies: over the title's letters, or under the gauges.
var cruise_y: float = 165.0

var _night: Dictionary = {}
var _wave: int = 0
var _wave_left: float = 0.0
var _next_item: float = 0.0
var _next_meteor: float = 0.0
var _items: int = 0
var _meteors: int = 0
var _time: float = 0.0
# An own generator with a fixed seed: the same night falls the same way every time.
var _rng := RandomNumberGenerator.new()

@onready var _rock: Sprite2D = $Rock


func begin(night: Dictionary) -> void:
	_night = night
	_rng.seed = night["seed"]
	_time = 0.0
	_wave = -1
	_wave_left = 0.0
	_next_item = 0.5
	_next_meteor = 2.0
	_items = 0
	_meteors = 0
	cruise_y = 165.0
	shedding = true


func _process(delta: float) -> void:
	_time += delta
	_rock.rotation += delta * 0.8
	position = Vector2(640.0 + 470.0 * sin(_time * 0.62), lerpf(position.y, cruise_y + 24.0 * sin(_time * 1.7), 0.08))


## `ship_x`: every third meteor is aimed, so that standing still is never safe.
func advance(delta: float, ship_x: float) -> void:
	if not shedding:
		return
	_wave_left -= delta
	if _wave_left <= 0.0:
		_wave = (_wave + 1) % (_night["waves"] as Array).size()
		_wave_left = WAVE_SECONDS
		wave_began.emit(_night["waves"][_wave])
	_next_item -= delta
	if _next_item <= 0.0:
		_shed_pattern(_night["waves"][_wave])
	_next_meteor -= delta
	if _next_meteor <= 0.0:
		_next_meteor = _night["meteor_gap"] * _rng.randf_range(0.8, 1.2)
		_meteors += 1
		var x: float = ship_x if _meteors % 3 == 0 else _rng.randf_range(90.0, 1190.0)
		_drop(Falling.Kind.METEOR, Vector2(x, -70.0), Vector2(_rng.randf_range(-40.0, 40.0), _fall_speed() * 1.9))


func _shed_pattern(pattern: String) -> void:
	_next_item = _night["gap"]
	match pattern:
		"Rain":
			_drop(_next_kind(), position, Vector2(_rng.randf_range(-25.0, 25.0), _fall_speed()))
		"Zigzag":
			var thing: Falling = _drop(_next_kind(), position, Vector2(0, _fall_speed()))
			thing.sway = 105.0
		"Ring":
			_next_item = _night["gap"] * 6.0
			_drop(Falling.Kind.STAR, position, Vector2(0, _fall_speed()))
			for i: int in RING_SIZE:
				var gem: Falling = _drop(Falling.Kind.GEM, position, Vector2(0, _fall_speed()))
				gem.orbit = 74.0
				gem.phase = TAU * i / RING_SIZE


## Mostly gems; every sixth thing is a star, now and then a repair kit.
func _next_kind() -> Falling.Kind:
	_items += 1
	if _items % 9 == 0:
		return Falling.Kind.REPAIR
	return Falling.Kind.STAR if _items % 6 == 0 else Falling.Kind.GEM


## The longer a night lasts, the faster everything comes down.
func _fall_speed() -> float:
	return _night["fall"] * (1.0 + minf(_time * 0.008, 0.5))


func _drop(kind: Falling.Kind, from: Vector2, speed: Vector2) -> Falling:
	var thing: Falling = FALLING.instantiate()
	thing.origin = from
	thing.speed = speed
	# Whoever listens puts it into the world at once; only then can it dress itself.
	shed.emit(thing)
	thing.become(kind, _rng.randi())
	return thing
