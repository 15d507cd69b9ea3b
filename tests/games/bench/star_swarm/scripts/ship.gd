class_name Ship
extends Node2D

signal fired(at: Vector2, direction: Vector2)

const SPEED := 360.0
const RELOAD := 0.055
const ROOM := Rect2(40, 60, 1200, 620)

var _velocity := Vector2.ZERO
# Taken from events rather than polled: the pointer may be a synthetic one.
var _aim := Vector2(900, 300)
var _firing: bool = false
var _reload: float = 0.0
var _flash: float = 0.0

@onready var _engine: Sprite2D = $Engine


func _input(event: InputEvent) -> void:
	if event is InputEventMouse:
		_aim = (event as InputEventMouse).position
	var button := event as InputEventMouseButton
	if button and button.button_index == MOUSE_BUTTON_LEFT:
		_firing = button.pressed
		if button.pressed:
			# A click shorter than a frame still gives one volley.
			_shoot()


func advance(delta: float) -> void:
	var wish := Vector2(
		float(Input.is_key_pressed(KEY_D)) - float(Input.is_key_pressed(KEY_A)),
		float(Input.is_key_pressed(KEY_S)) - float(Input.is_key_pressed(KEY_W)))
	_velocity = _velocity.lerp(wish.limit_length() * SPEED, minf(delta * 7.0, 1.0))
	position = (position + _velocity * delta).clamp(ROOM.position, ROOM.end)
	rotation = lerp_angle(rotation, (_aim - position).angle(), minf(delta * 16.0, 1.0))
	_reload -= delta
	if _firing and _reload <= 0.0:
		_shoot()
	_flash = maxf(_flash - delta * 3.0, 0.0)
	modulate = Color.WHITE.lerp(Color(1.0, 0.35, 0.3), _flash)
	_engine.scale = Vector2(0.9 + 0.5 * wish.length() + randf() * 0.25, 0.7)


func aim_point() -> Vector2:
	return _aim


func flash() -> void:
	_flash = 1.0


func _shoot() -> void:
	_reload = RELOAD
	fired.emit(position, (_aim - position).normalized())
