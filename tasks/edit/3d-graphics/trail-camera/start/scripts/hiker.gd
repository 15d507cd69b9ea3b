extends CharacterBody3D
## Turns on the spot and walks the way he looks, which is -Z.

@export var speed := 3.0
@export var turn_speed := 2.2


func _physics_process(delta: float) -> void:
	rotate_y(Input.get_axis("turn_right", "turn_left") * turn_speed * delta)
	var ahead := -global_basis.z * speed if Input.is_action_pressed("walk") else Vector3.ZERO
	velocity.x = ahead.x
	velocity.z = ahead.z
	velocity += get_gravity() * delta
	move_and_slide()
