extends CharacterBody2D
## The farmer walks.

const SPEED := 260.0
const STANDING := preload("res://art/farmer/malePerson_idle.png")
const STEPS: Array[Texture2D] = [
	preload("res://art/farmer/malePerson_walk0.png"),
	preload("res://art/farmer/malePerson_walk2.png"),
	preload("res://art/farmer/malePerson_walk4.png"),
	preload("res://art/farmer/malePerson_walk6.png"),
]

var _walked := 0.0

@onready var _picture: Sprite2D = $Picture


func _physics_process(delta: float) -> void:
	velocity = Input.get_vector("move_left", "move_right", "move_up", "move_down") * SPEED
	move_and_slide()
	position = position.clamp(Vector2(40, 150), Vector2(1240, 660))
	if velocity == Vector2.ZERO:
		_picture.texture = STANDING
		return
	_walked += delta
	_picture.texture = STEPS[int(_walked * 10.0) % STEPS.size()]
	if velocity.x != 0.0:
		_picture.flip_h = velocity.x < 0.0
