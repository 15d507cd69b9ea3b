class_name CourierView
extends Node2D
## The courier on the ice: poses, lean, snow spray while gliding, splash when the ice gives way.

const POSES: Array[String] = ["idle", "walk0", "climb0", "fall", "jump", "walk3"]

var _pictures: Dictionary[String, Texture2D] = {}
var _size: float = 72.0
var _time: float = 0.0
var _gliding: bool = false
var _cheering: bool = false

var _shadow: Sprite2D
var _body: Sprite2D
var _spray: CPUParticles2D


func setup(size: float) -> void:
	_size = size
	for pose: String in POSES:
		_pictures[pose] = Art.courier(pose)
	_shadow = Art.sprite(Art.dot(), Vector2(0, size * 0.04), size * 0.8, Color(0.05, 0.15, 0.35, 0.45))
	_shadow.scale.y *= 0.4
	add_child(_shadow)
	_spray = CPUParticles2D.new()
	_spray.texture = Art.dot()
	_spray.amount = 22
	_spray.lifetime = 0.5
	_spray.local_coords = false
	_spray.emitting = false
	_spray.use_fixed_seed = true
	_spray.seed = 9
	_spray.spread = 50.0
	_spray.initial_velocity_min = 30.0
	_spray.initial_velocity_max = 90.0
	_spray.gravity = Vector2.ZERO
	_spray.scale_amount_min = 0.12
	_spray.scale_amount_max = 0.34
	_spray.color = Color(1, 1, 1, 0.85)
	add_child(_spray)
	_body = Sprite2D.new()
	# The drawing's feet stand on the node's origin.
	_body.offset = Vector2(0, -56)
	_body.scale = Vector2.ONE * size * 1.12 / 96.0
	add_child(_body)
	rest()


func _process(delta: float) -> void:
	_time += delta
	if _gliding:
		return
	var base: float = _size * 1.12 / 96.0
	if _cheering:
		_body.position.y = -absf(sin(_time * 7.0)) * _size * 0.35
	else:
		_body.scale.y = base * (1.0 + 0.02 * sin(_time * 3.5))


func glide(direction: Vector2i) -> void:
	_gliding = true
	_cheering = false
	_spray.direction = -Vector2(direction)
	_spray.emitting = true
	_body.position.y = 0.0
	_body.texture = _pictures["climb0"] if direction == Vector2i.UP else _pictures["walk0"] if direction.x != 0 else _pictures["walk3"]
	_face(direction)
	_body.rotation = -0.14 * direction.x
	_body.scale = Vector2.ONE * _size * 1.12 / 96.0


func rest() -> void:
	_gliding = false
	_cheering = false
	_spray.emitting = false
	_body.rotation = 0.0
	_body.position = Vector2.ZERO
	_body.modulate = Color.WHITE
	_body.texture = _pictures["idle"]
	_body.scale = Vector2.ONE * _size * 1.12 / 96.0
	_shadow.visible = true
	visible = true


## Arriving hard: a quick squash.
func land() -> void:
	rest()
	var full: Vector2 = _body.scale
	_body.scale = full * Vector2(1.16, 0.84)
	create_tween().tween_property(_body, "scale", full, 0.22).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)


## Nothing gave way: lean in and bounce back.
func bump(direction: Vector2i) -> void:
	rest()
	_face(direction)
	_body.texture = _pictures["fall"]
	var tween: Tween = create_tween()
	tween.tween_property(_body, "position", Vector2(direction) * _size * 0.16, 0.07)
	tween.tween_property(_body, "position", Vector2.ZERO, 0.16).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	tween.tween_callback(func() -> void: _body.texture = _pictures["idle"])


func cheer() -> void:
	rest()
	_cheering = true
	_time = 0.0
	_body.texture = _pictures["jump"]


func sink() -> void:
	_gliding = true
	_spray.emitting = false
	_shadow.visible = false
	_body.texture = _pictures["fall"]
	var tween: Tween = create_tween().set_parallel()
	tween.tween_property(_body, "scale", _body.scale * 0.3, 0.55).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_IN)
	tween.tween_property(_body, "rotation", 1.2, 0.55)
	tween.tween_property(_body, "modulate", Color(0.4, 0.7, 1.0, 0.0), 0.55)


func _face(direction: Vector2i) -> void:
	if direction.x != 0:
		_body.flip_h = direction.x < 0
