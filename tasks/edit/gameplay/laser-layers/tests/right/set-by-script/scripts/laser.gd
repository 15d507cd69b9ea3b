extends Area2D
## A beam that flies upwards and ends at the first body it touches.

const SPEED := 900.0


func _init() -> void:
	collision_layer = 0
	collision_mask = 0
	set_collision_layer_value(4, true)
	set_collision_mask_value(3, true)
	set_collision_mask_value(5, true)


func _physics_process(delta: float) -> void:
	position.y -= SPEED * delta
	if position.y < -60.0:
		queue_free()


func _on_body_entered(body: Node2D) -> void:
	if body.has_method("hit"):
		body.hit()
	queue_free()
