extends Path2D
## Shows the way of a ferry as a row of dots on the water.

const GAP := 26.0


func _draw() -> void:
	for index in int(curve.get_baked_length() / GAP) + 1:
		draw_circle(curve.sample_baked(index * GAP), 3.0, Color(1, 1, 1, 0.35))
