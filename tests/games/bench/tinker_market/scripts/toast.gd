class_name Toast
extends PanelContainer
## A line of news that slides up, rests and fades away by itself.


func show_text(message: String, at: Vector2) -> void:
	$Text.text = message
	reset_size()
	position = at - Vector2(size.x / 2.0, 0.0)
	modulate.a = 0.0
	var tween: Tween = create_tween()
	tween.set_parallel(true)
	tween.tween_property(self, "modulate:a", 1.0, 0.2)
	tween.tween_property(self, "position:y", at.y - 46.0, 0.5) \
			.set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	tween.set_parallel(false)
	tween.tween_interval(0.7)
	tween.tween_property(self, "modulate:a", 0.0, 0.4)
	tween.tween_callback(queue_free)
