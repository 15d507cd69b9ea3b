class_name GateView
extends Node2D
## A row of coloured ice teeth that rises out of its sill or sinks into it.

var _teeth: Sprite2D
var _full: Vector2
var _glow: Sprite2D


func setup(color: int, size: float) -> void:
	var tint: Color = Art.GATE_TINTS[color]
	# bridgeB.png is a plank in the upper third of its file; tinted it becomes the gate's sill.
	var plank: AtlasTexture = Art.part(Art.tile("bridgeB"), Rect2(0, 0, 128, 38))
	add_child(Art.sprite(plank, Vector2(0, size * 0.12), size * 0.98, Color(tint.r * 0.75, tint.g * 0.85, tint.b * 1.4)))
	_glow = Art.sprite(Art.dot(), Vector2(0, -size * 0.2), size * 1.1, Color(tint.r, tint.g, tint.b, 0.0))
	add_child(_glow)
	_teeth = Sprite2D.new()
	_teeth.texture = Art.part(Art.tile("spikes"), Rect2(0, 64, 128, 64))
	_teeth.offset = Vector2(0, -32)
	_teeth.position = Vector2(0, size * 0.14)
	_full = Vector2(size * 0.96 / 128.0, size * 0.86 / 64.0)
	_teeth.modulate = tint
	add_child(_teeth)


func rest(shut: bool) -> void:
	_teeth.scale = _full if shut else Vector2(_full.x, _full.y * 0.12)
	_teeth.self_modulate.a = 1.0 if shut else 0.75


func swing(shut: bool) -> void:
	var tween: Tween = create_tween().set_parallel()
	tween.tween_property(_teeth, "scale:y", _full.y if shut else _full.y * 0.12, 0.28).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	_glow.modulate.a = 0.8
	tween.tween_property(_glow, "modulate:a", 0.0, 0.5)
