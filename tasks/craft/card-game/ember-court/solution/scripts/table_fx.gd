class_name TableFx
extends Node2D
## Short-lived things drawn over the table: numbers, bursts, slashes; and the shaking of the table.

var _shaken: Node2D
var _shake: float = 0.0
var _clock: float = 0.0


## The node that moves when the table is hit.
func shakes(what: Node2D) -> void:
	_shaken = what


func shake(strength: float) -> void:
	_shake = maxf(_shake, strength)


func _process(delta: float) -> void:
	if _shaken == null:
		return
	_clock += delta
	_shake = move_toward(_shake, 0.0, delta * 34.0)
	_shaken.position = Vector2(sin(_clock * 71.0), cos(_clock * 57.0)) * _shake


## A number that pops up, hangs for a moment and drifts away.
func number(at: Vector2, text: String, colour: Color, size: int = 44) -> void:
	var holder := Node2D.new()
	holder.position = at
	holder.z_index = 20
	add_child(holder)
	var width: float = 460.0
	var label: Label = UiKit.label(holder, text, Rect2(-width / 2.0, -36, width, 72), size, colour)
	label.add_theme_constant_override("outline_size", 12)
	holder.scale = Vector2.ONE * 0.3
	var tween: Tween = create_tween()
	tween.tween_property(holder, "scale", Vector2.ONE, 0.22).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	tween.tween_interval(0.45)
	tween.tween_property(holder, "position:y", at.y - 46.0, 0.4)
	tween.parallel().tween_property(holder, "modulate:a", 0.0, 0.4)
	tween.tween_callback(holder.queue_free)


## A few words on a small plate, for what concerns the whole table.
func notice(text: String, colour: Color) -> void:
	var holder := Node2D.new()
	holder.position = Vector2(640, 250)
	holder.z_index = 25
	add_child(holder)
	var width: float = UiKit.HEAD.get_string_size(text, HORIZONTAL_ALIGNMENT_LEFT, -1, 40).x + 72.0
	UiKit.panel(holder, Rect2(-width / 2.0, -40, width, 80), UiKit.flat(Color(UiKit.NIGHT, 0.93), colour.darkened(0.2), 4, 40))
	UiKit.label(holder, text, Rect2(-width / 2.0, -38, width, 74), 40, colour)
	holder.scale = Vector2(0.2, 0.2)
	var tween: Tween = create_tween()
	tween.tween_property(holder, "scale", Vector2.ONE, 0.22).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	tween.tween_interval(0.62)
	tween.tween_property(holder, "scale", Vector2(1.0, 0.0), 0.14)
	tween.tween_callback(holder.queue_free)


func burst(at: Vector2, texture: Texture2D, tint: Color, amount: int, reach: float = 240.0) -> void:
	var made := CPUParticles2D.new()
	made.position = at
	made.z_index = 15
	made.texture = texture
	made.one_shot = true
	made.explosiveness = 0.95
	made.amount = amount
	made.lifetime = 0.75
	made.spread = 180.0
	made.gravity = Vector2(0, 320)
	made.initial_velocity_min = reach * 0.4
	made.initial_velocity_max = reach
	made.angular_velocity_min = -260.0
	made.angular_velocity_max = 260.0
	made.scale_amount_min = 10.0 / texture.get_width()
	made.scale_amount_max = 26.0 / texture.get_width()
	made.color = tint
	made.use_fixed_seed = true
	made.seed = amount * 7 + int(at.x)
	add_child(made)
	made.emitting = true
	var tween: Tween = create_tween()
	tween.tween_interval(0.5)
	tween.tween_property(made, "modulate:a", 0.0, 0.3)
	tween.tween_callback(made.queue_free)


## A blade that sweeps from the hand across its target.
func slash(from: Vector2, at: Vector2) -> Tween:
	var sword := CourtFigure.new()
	sword.z_index = 16
	sword.position = from
	sword.rotation = -0.9
	add_child(sword)
	sword.show_figure("blade", "", Vector2(60, 150))
	var tween: Tween = create_tween()
	tween.tween_property(sword, "position", at + Vector2(-60, 70), 0.16).set_trans(Tween.TRANS_CUBIC).set_ease(Tween.EASE_OUT)
	tween.tween_property(sword, "rotation", 1.25, 0.13).set_trans(Tween.TRANS_QUAD).set_ease(Tween.EASE_IN)
	var fade: Tween = create_tween()
	fade.tween_interval(0.42)
	fade.tween_property(sword, "modulate:a", 0.0, 0.14)
	fade.tween_callback(sword.queue_free)
	return tween


## A ribbon with a few words that crosses the table.
func banner(title: String, line: String, accent: Color, ornament: Texture2D, ink: bool) -> Tween:
	var holder := Node2D.new()
	holder.position = Vector2(-760, 290)
	holder.z_index = 30
	add_child(holder)
	var style: StyleBoxTexture = UiKit.wood(Color(0.62, 0.42, 0.4))
	UiKit.panel(holder, Rect2(-420, -76, 840, 152), style)
	for x: float in [-390.0, 290.0]:
		var picture: TextureRect = UiKit.picture(holder, ornament, Rect2(x, -50, 100, 100))
		if ink:
			picture.material = UiKit.ink(UiKit.GOLD)
	UiKit.label(holder, title, Rect2(-400, -58, 800, 64), 50, accent)
	UiKit.label(holder, line, Rect2(-400, 10, 800, 36), 22, UiKit.CREAM, false)
	var tween: Tween = create_tween()
	tween.tween_property(holder, "position:x", 640.0, 0.3).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	tween.tween_interval(0.85)
	tween.tween_property(holder, "position:x", 2040.0, 0.26).set_trans(Tween.TRANS_CUBIC).set_ease(Tween.EASE_IN)
	tween.tween_callback(holder.queue_free)
	return tween
