class_name Player
extends CharacterBody2D
## The mossling: runs, jumps, shoves crates, and comes back after a fall.

signal hurt

const SPEED := 270.0
const ACCEL := 1800.0
const JUMP := -640.0
const GRAVITY := 1500.0
const PUSH := 14.0
# A late press after leaving a ledge, or an early one before landing, still jumps.
const GRACE := 0.12
const FALL_LIMIT := 860.0

var _coyote: float = 0.0
var _buffer: float = 0.0
var _safe_time: float = 0.0
var _safe_spot: Vector2
var _shield: float = 0.0
var _stride: float = 0.0
var _was_on_floor: bool = true

@onready var _sprite: Sprite2D = $Sprite
@onready var _dust: CPUParticles2D = $Dust
@onready var _land: CPUParticles2D = $Land


func _ready() -> void:
	_safe_spot = position


func _physics_process(delta: float) -> void:
	var direction: float = Input.get_axis(&"run_left", &"run_right")
	velocity.x = move_toward(velocity.x, direction * SPEED, ACCEL * delta)
	velocity.y += GRAVITY * delta
	_coyote = GRACE if is_on_floor() else _coyote - delta
	_buffer = GRACE if Input.is_action_just_pressed(&"jump") else _buffer - delta
	_shield = maxf(_shield - delta, 0.0)
	if _buffer > 0.0 and _coyote > 0.0:
		velocity.y = JUMP
		_buffer = 0.0
		_coyote = 0.0
	move_and_slide()
	_push_crates()
	_remember_safe_spot(delta)
	if is_on_floor() and not _was_on_floor:
		_land.restart()
	_was_on_floor = is_on_floor()
	if position.y > FALL_LIMIT:
		take_hit()
	_animate(direction, delta)


func bounce() -> void:
	velocity.y = JUMP * 0.7


func take_hit() -> void:
	if _shield > 0.0 and position.y < FALL_LIMIT:
		return
	_shield = 1.2
	position = _safe_spot
	velocity = Vector2.ZERO
	hurt.emit()


func _push_crates() -> void:
	for i: int in get_slide_collision_count():
		var hit: KinematicCollision2D = get_slide_collision(i)
		var crate := hit.get_collider() as RigidBody2D
		# Only sideways contact pushes; standing on a crate must not kick it away.
		if crate and absf(hit.get_normal().x) > 0.6:
			crate.apply_central_impulse(-hit.get_normal() * PUSH)


func _remember_safe_spot(delta: float) -> void:
	# Only a tile floor counts: a crate or a moving platform may be gone later.
	var on_tiles: bool = false
	for i: int in get_slide_collision_count():
		on_tiles = on_tiles or get_slide_collision(i).get_collider() is TileMapLayer
	_safe_time = _safe_time + delta if is_on_floor() and on_tiles else 0.0
	if _safe_time > 0.2 and _shield <= 0.0:
		_safe_spot = position
		_safe_time = 0.0


func _animate(direction: float, delta: float) -> void:
	if direction != 0.0:
		_sprite.flip_h = direction < 0.0
	_stride += absf(velocity.x) * delta / 26.0
	if not is_on_floor():
		_sprite.frame = 3
	elif absf(velocity.x) > 20.0:
		_sprite.frame = 1 + int(_stride) % 2
	else:
		_sprite.frame = 0
	_sprite.modulate.a = 0.4 if fmod(_shield, 0.2) > 0.1 else 1.0
	_dust.emitting = is_on_floor() and absf(velocity.x) > 60.0
