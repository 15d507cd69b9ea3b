class_name Burst
extends CPUParticles2D
## A one-shot puff of snow, splinters or confetti that cleans up after itself.

static var _count: int = 0


static func at(parent: Node, where: Vector2, picture: Texture2D, many: int, wide: float, tint: Color = Color.WHITE, speed: float = 170.0, fall: float = 320.0) -> Burst:
	var burst := Burst.new()
	burst.position = where
	burst.texture = picture
	burst.amount = many
	burst.color = tint
	burst.scale_amount_min = wide / picture.get_width() * 0.6
	burst.scale_amount_max = wide / picture.get_width() * 1.2
	burst.initial_velocity_min = speed * 0.4
	burst.initial_velocity_max = speed
	burst.gravity = Vector2(0, fall)
	parent.add_child(burst)
	return burst


func _init() -> void:
	_count += 1
	one_shot = true
	explosiveness = 0.95
	lifetime = 0.8
	spread = 180.0
	direction = Vector2.UP
	angular_velocity_min = -200.0
	angular_velocity_max = 200.0
	use_fixed_seed = true
	seed = 40 + _count
	z_index = 20
	var fade := Gradient.new()
	fade.set_color(0, Color.WHITE)
	fade.set_color(1, Color(1, 1, 1, 0))
	fade.add_point(0.6, Color.WHITE)
	color_ramp = fade
	finished.connect(queue_free)
