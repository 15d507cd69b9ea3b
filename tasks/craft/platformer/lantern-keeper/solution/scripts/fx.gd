class_name Fx
extends RefCounted
## Short-lived decoration: bursts of particles and rising captions.

const ABOVE_LIGHT := 70


static func burst(parent: Node, at: Vector2, texture: Texture2D, tint: Color, amount: int = 14,
		speed: float = 360.0, size: float = 1.0) -> void:
	var particles := CPUParticles2D.new()
	particles.position = at
	particles.texture = texture
	particles.color = tint
	particles.amount = amount
	particles.one_shot = true
	particles.explosiveness = 0.95
	particles.lifetime = 0.7
	particles.spread = 180.0
	particles.gravity = Vector2(0, 700)
	particles.initial_velocity_min = speed * 0.4
	particles.initial_velocity_max = speed
	particles.angular_velocity_min = -300.0
	particles.angular_velocity_max = 300.0
	particles.scale_amount_min = size * 0.5
	particles.scale_amount_max = size
	particles.scale_amount_curve = _shrink()
	particles.z_index = ABOVE_LIGHT
	parent.add_child(particles)
	particles.finished.connect(particles.queue_free)
	particles.emitting = true


## Embers that keep rising from a burning torch.
static func embers(amount: int, size: float) -> CPUParticles2D:
	var particles := CPUParticles2D.new()
	particles.texture = Art.dot()
	particles.amount = amount
	particles.lifetime = 1.1
	particles.local_coords = false
	particles.emission_shape = CPUParticles2D.EMISSION_SHAPE_SPHERE
	particles.emission_sphere_radius = 10.0
	particles.direction = Vector2.UP
	particles.spread = 24.0
	particles.gravity = Vector2(0, -90)
	particles.initial_velocity_min = 40.0
	particles.initial_velocity_max = 130.0
	particles.scale_amount_min = size * 0.4
	particles.scale_amount_max = size
	particles.scale_amount_curve = _shrink()
	particles.color = Color(1.0, 0.66, 0.2)
	particles.z_index = ABOVE_LIGHT
	return particles


static func caption(parent: Node, at: Vector2, text: String, tint: Color) -> void:
	var label := Label.new()
	label.text = text
	label.add_theme_font_override(&"font", Art.display_font())
	label.add_theme_font_size_override(&"font_size", 46)
	label.add_theme_color_override(&"font_color", tint)
	label.add_theme_color_override(&"font_outline_color", Color(0.08, 0.07, 0.14))
	label.add_theme_constant_override(&"outline_size", 14)
	label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	label.size = Vector2(360, 60)
	label.position = at - Vector2(180, 60)
	label.z_index = ABOVE_LIGHT + 5
	parent.add_child(label)
	var tween: Tween = label.create_tween()
	tween.tween_property(label, "position:y", label.position.y - 90.0, 0.9).set_ease(Tween.EASE_OUT).set_trans(Tween.TRANS_CUBIC)
	tween.parallel().tween_property(label, "modulate:a", 0.0, 0.35).set_delay(0.55)
	tween.tween_callback(label.queue_free)


static func _shrink() -> Curve:
	var curve := Curve.new()
	curve.add_point(Vector2(0, 1))
	curve.add_point(Vector2(0.6, 0.8))
	curve.add_point(Vector2(1, 0))
	return curve
