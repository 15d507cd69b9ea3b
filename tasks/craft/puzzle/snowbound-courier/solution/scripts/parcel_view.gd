class_name ParcelView
extends Node2D
## A crate with a coloured seal; glows and hops when it reaches its flag, sinks when the ice breaks.

var _size: float = 72.0
var _body: Node2D
var _crate: Sprite2D
var _shadow: Sprite2D
var _tick: Sprite2D


func setup(color: int, size: float) -> void:
	_size = size
	_shadow = Art.sprite(Art.dot(), Vector2(0, size * 0.08), size * 1.05, Color(0.05, 0.15, 0.35, 0.5))
	_shadow.scale.y *= 0.5
	add_child(_shadow)
	_body = Node2D.new()
	add_child(_body)
	_crate = Art.sprite(Art.tile("boxCrate_double"), Vector2(0, -size * 0.28), size * 0.78)
	_body.add_child(_crate)
	# A round paper label keeps the seal readable on the brown wood.
	_body.add_child(Art.sprite(Art.dot(), Vector2(0, -size * 0.28), size * 0.66, Color(1.0, 0.97, 0.88, 0.95)))
	_body.add_child(Art.sprite(Art.item("gem" + Art.FLAG_NAMES[color]), Vector2(0, -size * 0.28), size * 0.82))
	_body.add_child(_cap(size))
	_tick = Art.sprite(Art.item("star"), Vector2(size * 0.3, -size * 0.56), size * 0.7)
	_tick.visible = false
	_body.add_child(_tick)


func _cap(size: float) -> Sprite2D:
	var cap: Sprite2D = Art.sprite(Art.drift(), Vector2(-size * 0.04, -size * 0.66), size * 0.5)
	return cap


func rest(delivered: bool) -> void:
	visible = true
	_shadow.visible = true
	_body.scale = Vector2.ONE
	_body.rotation = 0.0
	_body.position = Vector2.ZERO
	_body.modulate = Color.WHITE
	_tick.visible = delivered
	_tick.scale = Vector2.ONE * _size * 0.7 / 128.0


func knock() -> void:
	_body.scale = Vector2(0.86, 1.12)
	create_tween().tween_property(_body, "scale", Vector2.ONE, 0.2).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)


func celebrate() -> void:
	_tick.visible = true
	var full: Vector2 = _tick.scale
	_tick.scale = Vector2.ZERO
	var tween: Tween = create_tween()
	tween.tween_property(_body, "position:y", -_size * 0.3, 0.14).set_ease(Tween.EASE_OUT)
	tween.parallel().tween_property(_tick, "scale", full * 1.4, 0.16)
	tween.tween_property(_body, "position:y", 0.0, 0.2).set_trans(Tween.TRANS_BOUNCE).set_ease(Tween.EASE_OUT)
	tween.parallel().tween_property(_tick, "scale", full, 0.2)


func sink() -> void:
	_shadow.visible = false
	var tween: Tween = create_tween().set_parallel()
	tween.tween_property(_body, "scale", Vector2(0.4, 0.4), 0.6).set_ease(Tween.EASE_IN)
	tween.tween_property(_body, "rotation", -0.7, 0.6)
	tween.tween_property(_body, "modulate", Color(0.4, 0.7, 1.0, 0.0), 0.6)
