class_name Falling
extends Node2D
## One thing on its way down: a gem, a star, a repair kit or a meteor.

enum Kind { GEM, STAR, REPAIR, METEOR }

const GEMS: Array[Texture2D] = [
	preload("res://art/items/gemBlue.png"), preload("res://art/items/gemGreen.png"),
	preload("res://art/items/gemRed.png"), preload("res://art/items/gemYellow.png"),
]
const GEM_COLORS: Array[Color] = [
	Color(0.4, 0.8, 1.0), Color(0.6, 1.0, 0.5), Color(1.0, 0.6, 0.4), Color(1.0, 0.85, 0.4),
]
const METEORS: Array[Texture2D] = [
	preload("res://art/space/meteorGrey_big1.png"), preload("res://art/space/meteorGrey_big3.png"),
	preload("res://art/space/meteorGrey_big4.png"),
]
const STAR: Texture2D = preload("res://art/items/star.png")
const REPAIR: Texture2D = preload("res://art/space/playerLife1_green.png")
const METEOR_WARNING := 0.8

var kind := Kind.GEM
var color := Color.WHITE
## How much light the thing is worth before the combo multiplies it.
var value: int = 1

# The way down is a straight line plus, for some waves, a sway or an orbit around that line.
var origin := Vector2.ZERO
var speed := Vector2.ZERO
var sway: float = 0.0
var orbit: float = 0.0
var phase: float = 0.0

var _age: float = 0.0
var _spin: float = 0.0
var _glow_size := Vector2(1.2, 1.2)

@onready var _sprite: Sprite2D = $Sprite
@onready var _glow: Sprite2D = $Glow
@onready var _warning: Sprite2D = $Warning


## `variant` picks one of the pictures that a kind has.
func become(what: Kind, variant: int) -> void:
	kind = what
	match kind:
		Kind.GEM:
			_dress(GEMS[variant % GEMS.size()], GEM_COLORS[variant % GEMS.size()], 0.95)
		Kind.STAR:
			value = 3
			_dress(STAR, Color(1.0, 0.85, 0.3), 1.1)
			_spin = 1.5
		Kind.REPAIR:
			value = 3
			_dress(REPAIR, Color(0.45, 1.0, 0.45), 1.5)
		Kind.METEOR:
			_dress(METEORS[variant % METEORS.size()], Color(1.0, 0.4, 0.25), 0.95)
			_sprite.self_modulate = Color(1.2, 1.02, 0.98)
			# Its glow is drawn out into a fiery trail.
			_glow_size = Vector2(1.3, 2.6)
			_glow.position.y = -56.0
			_spin = 1.6 if variant % 2 == 0 else -1.6
			# A meteor announces itself first: below zero it only blinks its warning.
			_age = -METEOR_WARNING
	_place()


func advance(delta: float) -> void:
	_age += delta
	_warning.visible = _age < 0.0
	_warning.modulate.a = 0.35 + 0.65 * absf(sin(_age * 14.0))
	_sprite.rotation += _spin * delta
	_glow.scale = _glow_size * (1.0 + 0.12 * sin(_age * 6.0 + phase))
	_place()


## Meteors must really touch the ship; good things are drawn in a little.
func reach() -> float:
	return 62.0 if kind == Kind.METEOR else 68.0


func _place() -> void:
	var time: float = maxf(_age, 0.0)
	var grown: float = minf(time / 0.7, 1.0) * orbit
	position = origin + speed * time + Vector2.from_angle(phase + time * 1.6) * grown
	position.x = clampf(position.x + sin(phase + time * 3.0) * sway, 50.0, 1230.0)


func _dress(texture: Texture2D, tint: Color, size: float) -> void:
	color = tint
	_sprite.texture = texture
	_sprite.scale = Vector2.ONE * size
	_glow.modulate = Color(tint, 0.7)
