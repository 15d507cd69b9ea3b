extends Area2D
## A beam that flies upwards and ends at the first body it touches.

const SPEED := 900.0


func _physics_process(delta: float) -> void:
	position.y -= SPEED * delta
	if position.y < -60.0:
		queue_free()


func _on_body_entered(body: Node2D) -> void:
	if body.has_method("hit"):
		body.hit()
	queue_free()
