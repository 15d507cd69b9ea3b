extends CharacterBody3D
## Hops on the spot from time to time.

@export var jump := 2.4
@export var pause := 1.4

var _wait := 0.5


func _physics_process(delta: float) -> void:
	velocity += get_gravity() * delta
	_wait -= delta
	if is_on_floor() and _wait <= 0.0:
		velocity.y = jump
		_wait = pause
	move_and_slide()
