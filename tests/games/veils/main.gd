extends Node2D
# Forty translucent sheets over each other: whatever the canvas rounds, it rounds forty times.


func _draw() -> void:
	for index in 40:
		var shade := index / 40.0
		draw_rect(Rect2(index * 16, index * 9, 640, 360), Color(shade, 1.0 - shade, 0.5, 0.08))
