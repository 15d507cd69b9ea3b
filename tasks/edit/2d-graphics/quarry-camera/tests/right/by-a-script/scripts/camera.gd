extends Camera2D
## Keeps to the quarry.

const PART := Rect2i(0, 0, 2816, 1408)


func _ready() -> void:
	zoom = Vector2.ONE * 1.25
	limit_left = PART.position.x
	limit_top = PART.position.y
	limit_right = PART.end.x
	limit_bottom = PART.end.y
	position_smoothing_enabled = true
	position_smoothing_speed = 8.0
