extends CharacterBody3D
## The squire walks about on the flat ground.

const SPEED := 3.5
const FRONT := preload("res://art/maleAdventurer_idle.png")
const BACK := preload("res://art/maleAdventurer_climb0.png")

@onready var _picture: Sprite3D = $Picture


func _physics_process(_delta: float) -> void:
	var way := Input.get_vector("move_left", "move_right", "move_up", "move_down")
	velocity = Vector3(way.x, 0.0, way.y) * SPEED
	move_and_slide()
	if way.y != 0.0:
		_picture.texture = BACK if way.y < 0.0 else FRONT
