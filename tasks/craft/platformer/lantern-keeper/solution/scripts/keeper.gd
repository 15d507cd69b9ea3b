class_name Keeper
extends CharacterBody2D
## The player: runs, leaps, climbs, and guards a flame that never stops shrinking.

signal flame_died

const RUN := 560.0
const GRIP := 5600.0
const SNOW_PUSH := 1900.0
const SNOW_GLIDE := 900.0
const LEAP := -1480.0
const LEAP_CUT := 0.45
const GRAVITY := 3300.0
const MAX_FALL := 1700.0
const CLIMB := 380.0
const BOUNCE := -1050.0
# A press slightly after leaving a ledge, or slightly before landing, still leaps.
const GRACE := 0.11
const FULL := 100.0
const HALF_HEIGHT := 52.0
const STONE_MASK := 1
const PLANK_MASK := 4

var flame: float = FULL
var drain: float = 0.0
var slippery: bool = false
## While the story moves the camera or a door closes, the keeper stands still.
var frozen: bool = false
var alive: bool = true
## The cave answers whether a point lies on a ladder.
var ladder_at: Callable

var _climbing: bool = false
var _coyote: float = 0.0
var _buffer: float = 0.0
var _shield: float = 0.0
var _stun: float = 0.0
var _drop: float = 0.0
var _was_on_floor: bool = true
var _facing: float = 1.0

@onready var _figure: Node2D = $Figure
@onready var _sprite: AnimatedSprite2D = $Figure/Sprite
@onready var _torch: HandTorch = $Figure/HandTorch
@onready var _dust: CPUParticles2D = $Dust


func _ready() -> void:
	_sprite.sprite_frames = _build_frames()
	_sprite.play(&"idle")


func _physics_process(delta: float) -> void:
	_shield = maxf(_shield - delta, 0.0)
	_stun = maxf(_stun - delta, 0.0)
	_drop = maxf(_drop - delta, 0.0)
	if alive and not frozen:
		spend(drain * delta)
	if not alive or frozen:
		velocity = Vector2(0.0, minf(velocity.y + GRAVITY * delta, MAX_FALL))
		collision_mask = STONE_MASK | PLANK_MASK
		_climbing = false
		move_and_slide()
	elif _climbing:
		_climb(delta)
	else:
		_walk(delta)
	_animate()


func _walk(delta: float) -> void:
	var direction: float = 0.0 if _stun > 0.0 else Input.get_axis(&"walk_left", &"walk_right")
	var push: float = GRIP
	if slippery and is_on_floor() and not _on_wood():
		push = SNOW_PUSH if direction != 0.0 else SNOW_GLIDE
	if _stun <= 0.0:
		velocity.x = move_toward(velocity.x, direction * RUN, push * delta)
	if direction != 0.0:
		_facing = signf(direction)
	velocity.y = minf(velocity.y + GRAVITY * delta, MAX_FALL)
	_coyote = GRACE if is_on_floor() else _coyote - delta
	_buffer = GRACE if Input.is_action_just_pressed(&"leap") else _buffer - delta
	if _buffer > 0.0 and _coyote > 0.0:
		_leap()
	if Input.is_action_just_released(&"leap") and velocity.y < 0.0:
		velocity.y *= LEAP_CUT
	if Input.is_action_just_pressed(&"climb_down") and is_on_floor():
		_drop = 0.16
	collision_mask = STONE_MASK if _drop > 0.0 else STONE_MASK | PLANK_MASK
	move_and_slide()
	if is_on_floor() and not _was_on_floor:
		_squash(Vector2(1.18, 0.82))
		_dust.restart()
	_was_on_floor = is_on_floor()
	_try_ladder()


## Snow is slippery, the planks of a raft are not.
func _on_wood() -> bool:
	for index: int in get_slide_collision_count():
		if get_slide_collision(index).get_collider() is MovingPlatform:
			return true
	return false


func _leap() -> void:
	velocity.y = LEAP
	_buffer = 0.0
	_coyote = 0.0
	_was_on_floor = false
	_squash(Vector2(0.84, 1.18))
	_dust.restart()


func _try_ladder() -> void:
	var up: bool = Input.is_action_pressed(&"climb_up") and ladder_at.call(global_position)
	var down: bool = Input.is_action_pressed(&"climb_down") and is_on_floor() \
			and ladder_at.call(global_position + Vector2(0, HALF_HEIGHT + 12.0))
	if _stun <= 0.0 and (up or down):
		_climbing = true
		velocity = Vector2.ZERO
		if down:
			position.y += 14.0


func _climb(delta: float) -> void:
	collision_mask = STONE_MASK
	var rung: float = (floorf(position.x / CaveTiles.SIZE) + 0.5) * CaveTiles.SIZE
	position.x = move_toward(position.x, rung, 600.0 * delta)
	var vertical: float = Input.get_axis(&"climb_up", &"climb_down")
	velocity = Vector2(0.0, vertical * CLIMB)
	move_and_slide()
	if Input.is_action_just_pressed(&"leap"):
		_climbing = false
		_leap()
		velocity.y = LEAP * 0.7
	elif not ladder_at.call(global_position + Vector2(0, HALF_HEIGHT - 4.0)):
		# Over the last rung: stand exactly on it, or the plank beside it would swallow her feet.
		_climbing = false
		position.y = roundf((position.y + HALF_HEIGHT) / CaveTiles.SIZE) * CaveTiles.SIZE - HALF_HEIGHT - 1.0
		velocity.y = 0.0
		collision_mask = STONE_MASK | PLANK_MASK
	elif is_on_floor() and vertical > 0.0:
		_climbing = false


## Called by creatures that were landed on.
func bounce() -> void:
	velocity.y = BOUNCE
	_coyote = 0.0
	_squash(Vector2(0.84, 1.18))


## A blow from somewhere: costs flame, throws the keeper back, and protects her for a moment.
func hurt(from: Vector2, cost: float) -> bool:
	if _shield > 0.0 or not alive or frozen:
		return false
	_shield = 1.3
	_stun = 0.28
	_climbing = false
	velocity = Vector2(460.0 * (1.0 if position.x >= from.x else -1.0), -700.0)
	Fx.burst(get_parent(), position + Vector2(0, -20), Art.dot(), Color(1.0, 0.6, 0.2), 22, 520.0, 1.0)
	Fx.caption(get_parent(), position + Vector2(0, -90), "-%d flame" % int(cost), Color(1.0, 0.5, 0.35))
	spend(cost)
	return true


func spend(cost: float) -> void:
	if not alive:
		return
	flame = maxf(flame - cost, 0.0)
	if flame <= 0.0:
		alive = false
		Fx.burst(get_parent(), position + Vector2(20, -40), Art.dot(), Color(0.5, 0.5, 0.58, 0.9), 20, 200.0, 1.6)
		var tween: Tween = create_tween()
		tween.tween_property(_figure, "modulate", Color(0.35, 0.38, 0.55), 0.5)
		tween.tween_interval(0.5)
		tween.tween_callback(flame_died.emit)


func refill(amount: float) -> void:
	if alive:
		flame = minf(flame + amount, FULL)


## Back on her feet beside the last torch.
func place(at: Vector2, shield: float = 1.2) -> void:
	position = at
	velocity = Vector2.ZERO
	alive = true
	_climbing = false
	_shield = shield
	_figure.modulate = Color.WHITE
	_was_on_floor = true


func is_falling_onto(height: float) -> bool:
	return velocity.y > 80.0 and position.y + HALF_HEIGHT < height + 34.0


func light_position() -> Vector2:
	return _torch.global_position + Vector2(0, -20)


func _animate() -> void:
	_torch.strength = flame / FULL if alive else 0.0
	var name: StringName = &"idle"
	if _climbing:
		name = &"climb"
	elif not is_on_floor():
		name = &"jump" if velocity.y < 0.0 else &"fall"
	elif absf(velocity.x) > 40.0 and alive:
		name = &"walk"
	if _sprite.animation != name:
		_sprite.play(name)
	if _climbing:
		_sprite.speed_scale = 1.0 if velocity.y != 0.0 else 0.0
	else:
		_sprite.speed_scale = maxf(absf(velocity.x) / RUN, 0.4) if name == &"walk" else 1.0
	_sprite.flip_h = _facing < 0.0
	var hand := Vector2(36, -44)
	match name:
		&"jump":
			hand = Vector2(46, -102)
		&"fall":
			hand = Vector2(54, -72)
		&"climb":
			hand = Vector2(34, -96)
		&"walk":
			hand = Vector2(38, -48 + 3.0 * sin(_sprite.frame * 1.6))
	_torch.position = Vector2(hand.x * _facing, hand.y)
	_torch.rotation = 0.14 * _facing
	# Under protection she flickers, but is never lost from sight.
	_sprite.self_modulate.a = 0.45 if _shield > 0.0 and alive and fmod(_shield, 0.2) > 0.1 else 1.0


func _squash(to: Vector2) -> void:
	_figure.scale = to
	var tween: Tween = create_tween()
	tween.tween_property(_figure, "scale", Vector2.ONE, 0.22).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)


func _build_frames() -> SpriteFrames:
	var frames := SpriteFrames.new()
	frames.remove_animation(&"default")
	_add_animation(frames, &"idle", ["idle"], 1.0)
	_add_animation(frames, &"walk", ["walk0", "walk1", "walk2", "walk3", "walk4", "walk5", "walk6", "walk7"], 16.0)
	_add_animation(frames, &"jump", ["jump"], 1.0)
	_add_animation(frames, &"fall", ["fall"], 1.0)
	_add_animation(frames, &"climb", ["climb0", "climb1"], 7.0)
	return frames


func _add_animation(frames: SpriteFrames, name: StringName, poses: Array[String], speed: float) -> void:
	frames.add_animation(name)
	frames.set_animation_speed(name, speed)
	for pose: String in poses:
		frames.add_frame(name, load("res://art/keeper/femaleAdventurer_%s.png" % pose))
