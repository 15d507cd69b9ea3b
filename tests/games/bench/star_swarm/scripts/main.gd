extends Node2D
## Runs the battle: moves every pool, finds hits, keeps the score.

const DEBRIS := 950
const VOLLEY := 9
const SPREAD := 0.42
const BOLT_SPEED := 760.0
const ORB_SPEED := 150.0
const FULL_HULL := 100.0

var _score: int = 0
var _chain: int = 0
var _wave: int = 1
var _kills: int = 0
var _hull: float = FULL_HULL
var _orb_wait: float = 0.0
var _shake: float = 0.0

@onready var _rocks: SpritePool = $Rocks
@onready var _shards: SpritePool = $Shards
@onready var _swarm: Swarm = $Swarm
@onready var _bolts: SpritePool = $Bolts
@onready var _orbs: SpritePool = $Orbs
@onready var _sparks: SpritePool = $Sparks
@onready var _ship: Ship = $Ship
@onready var _reticle: Sprite2D = $Reticle


func _ready() -> void:
	for i: int in DEBRIS:
		var near: float = randf()
		var pool: SpritePool = _rocks if i % 3 else _shards
		# Small and dim means far away, and far things drift slowly.
		var tint := Color(1, 1, 1).darkened(0.65 * (1.0 - near))
		pool.add(Vector2(randf() * 1280.0, randf() * 720.0),
				Vector2(-20.0 - 60.0 * near, randf_range(-14.0, 14.0)),
				0.25 + 0.75 * near * near, 1.0, tint, randf_range(-1.5, 1.5))
	_ship.fired.connect(_on_fired)
	_apply_scenario()


func _process(delta: float) -> void:
	_ship.advance(delta)
	_swarm.advance(delta, _ship.position)
	_send_orbs(delta)
	for pool: SpritePool in [_rocks, _shards, _bolts, _orbs, _sparks]:
		pool.advance(delta)
	_strike_drones()
	_strike_ship()
	for pool: SpritePool in [_rocks, _shards, _bolts, _orbs, _sparks]:
		pool.draw_all()
	_reticle.position = _ship.aim_point()
	_reticle.rotation += delta
	_shake = maxf(_shake - delta * 20.0, 0.0)
	position = Vector2(randf_range(-1, 1), randf_range(-1, 1)) * _shake
	_hull = minf(_hull + delta * 2.0, FULL_HULL)
	_show_score()


func _on_fired(at: Vector2, direction: Vector2) -> void:
	for i: int in VOLLEY:
		var lean: float = (float(i) / (VOLLEY - 1) - 0.5) * SPREAD
		_bolts.add(at + direction * 34.0, direction.rotated(lean) * BOLT_SPEED, 0.8, 1.2)


func _send_orbs(delta: float) -> void:
	_orb_wait -= delta
	if _orb_wait > 0.0:
		return
	_orb_wait = 0.09 / (1.0 + 0.2 * _wave)
	var from: Vector2 = _swarm.position_of(randi() % Swarm.COUNT)
	var aim: Vector2 = (_ship.position - from).normalized().rotated(randf_range(-0.5, 0.5))
	_orbs.add(from, aim * ORB_SPEED, 0.9, 5.0)


func _strike_drones() -> void:
	for i: int in range(_bolts.count - 1, -1, -1):
		var victim: int = _swarm.hit_at(_bolts.pos[i])
		if victim < 0:
			continue
		_burst(_swarm.position_of(victim), 7, Color(1.0, 0.7, 0.35))
		_swarm.send_away(victim)
		_bolts.remove(i)
		_chain += 1
		_kills += 1
		_score += 10 * (1 + mini(_chain / 10, 9))
		if _kills % 120 == 0:
			_wave += 1


func _strike_ship() -> void:
	for i: int in range(_orbs.count - 1, -1, -1):
		if _orbs.pos[i].distance_squared_to(_ship.position) > 400.0:
			continue
		_burst(_orbs.pos[i], 14, Color(0.5, 0.8, 1.0))
		_orbs.remove(i)
		_hull -= 6.0
		_chain = 0
		_shake = 6.0
		_ship.flash()
		if _hull <= 0.0:
			# The run goes on at half the score: short sessions should not end early.
			_hull = FULL_HULL
			_score /= 2
			_burst(_ship.position, 80, Color(1.0, 0.4, 0.3))


func _burst(at: Vector2, amount: int, tint: Color) -> void:
	for i: int in amount:
		var away := Vector2.from_angle(randf() * TAU) * randf_range(20.0, 190.0)
		_sparks.add(at, away, randf_range(0.2, 0.7), randf_range(0.4, 1.0), tint)


func _show_score() -> void:
	%Score.text = "%07d" % _score
	%Chain.text = "chain x%d" % (1 + mini(_chain / 10, 9))
	%Wave.text = "wave %d" % _wave
	%Hull.value = _hull
	%Count.text = "%d objects" % (
			_rocks.count + _shards.count + _bolts.count + _orbs.count + _sparks.count + Swarm.COUNT)


func _apply_scenario() -> void:
	var args: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = args.find("--scenario")
	if at >= 0 and at + 1 < args.size() and args[at + 1] == "storm":
		_wave = 6
		_score = 48000
