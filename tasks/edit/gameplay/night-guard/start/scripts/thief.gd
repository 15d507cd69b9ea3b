extends CharacterBody2D
## The thief sneaks through the garden.

const SPEED := 220.0
const STANDING := preload("res://art/people/femaleAdventurer_idle.png")
const STEPS: Array[Texture2D] = [
	preload("res://art/people/femaleAdventurer_walk0.png"),
	preload("res://art/people/femaleAdventurer_walk2.png"),
	preload("res://art/people/femaleAdventurer_walk4.png"),
	preload("res://art/people/femaleAdventurer_walk6.png"),
]

var _walked := 0.0

@onready var _picture: Sprite2D = $Picture


func _physics_process(delta: float) -> void:
	velocity = Input.get_vector("move_left", "move_right", "move_up", "move_down") * SPEED
	move_and_slide()
	position = position.clamp(Vector2(30, 110), Vector2(1250, 690))
	if velocity == Vector2.ZERO:
		_picture.texture = STANDING
		return
	_walked += delta
	_picture.texture = STEPS[int(_walked * 10.0) % STEPS.size()]
	if velocity.x != 0.0:
		_picture.flip_h = velocity.x < 0.0
