extends CharacterBody2D
## The hero walks through the cave; each second picture of the walk is a step that can be heard.

const SPEED := 230.0
const STANDING := preload("res://art/hero/femalePerson_idle.png")
const STEPS: Array[Texture2D] = [
	preload("res://art/hero/femalePerson_walk0.png"),
	preload("res://art/hero/femalePerson_walk2.png"),
	preload("res://art/hero/femalePerson_walk4.png"),
	preload("res://art/hero/femalePerson_walk6.png"),
]

var _walked := 0.0

@onready var _picture: Sprite2D = $Picture
@onready var _step: AudioStreamPlayer2D = $Step


func _physics_process(delta: float) -> void:
	velocity.x = Input.get_axis("move_left", "move_right") * SPEED
	move_and_slide()
	position.x = clampf(position.x, 60.0, 1220.0)
	if velocity.x == 0.0:
		_picture.texture = STANDING
		return
	var before := int(_walked * 8.0)
	_walked += delta
	var now := int(_walked * 8.0)
	_picture.texture = STEPS[now % STEPS.size()]
	_picture.flip_h = velocity.x < 0.0
	if now != before and now % 2 == 0:
		_step.play()
