class_name Ship
extends Node2D
## The harvest ship: it drifts with momentum, boosts for a moment, and wears a shield.

const ACCELERATION := 1700.0
const DRAG := 750.0
const TOP_SPEED := 480.0
const BOOST_SPEED := 1000.0
const BOOST_SECONDS := 0.18
const RECHARGE_SECONDS := 1.8
const SAFE_SECONDS := 1.3
const HOME := Vector2(640, 566)
const SHIELD_COLORS: Array[Color] = [
	Color.TRANSPARENT, Color(1.0, 0.42, 0.35), Color(1.0, 0.83, 0.35), Color(0.42, 0.85, 1.0),
]

var shield: int = 3
## 1.0 means that the boost is ready.
var charge: float = 1.0
var steerable: bool = false

var _velocity: float = 0.0
var _facing: float = 1.0
var _boosting: float = 0.0
var _safe: float = 0.0
var _time: float = 0.0
var _flight: Tween

@onready var _sprite: Sprite2D = $Sprite
@onready var _bubble: Sprite2D = $Bubble
@onready var _flame: CPUParticles2D = $Flame


func _process(delta: float) -> void:
	_time += delta
	_safe = maxf(_safe - delta, 0.0)
	charge = minf(charge + delta / RECHARGE_SECONDS, 1.0)
	_steer(delta)
	rotation = lerpf(rotation, _velocity / BOOST_SPEED * 0.6, 0.25)
	_sprite.position.y = sin(_time * 2.4) * 4.0
	_sprite.modulate.a = 0.35 if fmod(_safe, 0.2) > 0.1 else 1.0
	_bubble.modulate = _bubble.modulate.lerp(Color(SHIELD_COLORS[shield], 0.75), 0.15)
	_bubble.scale = _bubble.scale.lerp(Vector2.ONE * (0.86 + 0.02 * sin(_time * 3.0)), 0.15)


## Comes up from below the edge, ready for a new night.
func arrive(with_shield: int) -> void:
	shield = with_shield
	charge = 1.0
	_velocity = 0.0
	_safe = 0.0
	_boosting = 0.0
	show()
	position = HOME + Vector2(0, 240)
	_fly_to(HOME.y, 0.6, Tween.EASE_OUT)
	steerable = true


## A won night: off into the sky with the hold full.
func depart() -> void:
	steerable = false
	_fly_to(-160.0, 0.9, Tween.EASE_IN)


func is_safe() -> bool:
	return _safe > 0.0


## A meteor takes one layer of the shield and pushes the ship aside.
func knock(from_x: float) -> void:
	shield -= 1
	_safe = SAFE_SECONDS
	_boosting = 0.0
	_velocity = 520.0 if position.x >= from_x else -520.0
	flash(Color(1.0, 0.5, 0.4))
	if shield == 0:
		steerable = false
		hide()


func flash(tint: Color) -> void:
	_bubble.modulate = tint
	_bubble.scale = Vector2.ONE * 1.3


func _steer(delta: float) -> void:
	var wish: float = Input.get_axis(&"steer_left", &"steer_right") if steerable else 0.0
	if wish != 0.0:
		_facing = signf(wish)
	if steerable and charge >= 1.0 and Input.is_action_just_pressed(&"boost"):
		charge = 0.0
		_boosting = BOOST_SECONDS
	if _boosting > 0.0:
		_boosting -= delta
		_velocity = _facing * BOOST_SPEED
		_leave_afterimage()
	else:
		var rate: float = DRAG if wish == 0.0 else ACCELERATION
		# Whatever is left of a boost or a knock fades quickly, but not at once.
		if absf(_velocity) > TOP_SPEED:
			rate = 3000.0
		_velocity = move_toward(_velocity, wish * TOP_SPEED, rate * delta)
	position.x += _velocity * delta
	if position.x < 60.0 or position.x > 1220.0:
		position.x = clampf(position.x, 60.0, 1220.0)
		_velocity *= -0.35
	_flame.speed_scale = 1.8 if _boosting > 0.0 else 1.0


func _leave_afterimage() -> void:
	var image := Sprite2D.new()
	image.texture = _sprite.texture
	image.transform = transform
	image.modulate = Color(0.4, 0.8, 1.0, 0.6)
	get_parent().add_child(image)
	get_parent().move_child(image, get_index())
	var fade: Tween = image.create_tween()
	fade.tween_property(image, "modulate:a", 0.0, 0.5)
	fade.tween_callback(image.queue_free)


func _fly_to(height: float, seconds: float, ease_kind: Tween.EaseType) -> void:
	if _flight:
		_flight.kill()
	_flight = create_tween().set_trans(Tween.TRANS_BACK).set_ease(ease_kind)
	_flight.tween_property(self, "position:y", height, seconds)
