extends CharacterBody2D
## The alien: walks, jumps, and shows what it does.

## Each time the alien pushes off.
signal jumped

const SPEED := 320.0
const JUMP_VELOCITY := -620.0
const GRAVITY := 1400.0
const MAX_JUMPS := 2

const STANDING := preload("res://art/alien/alienBlue_front.png")
const RISING := preload("res://art/alien/alienBlue_jump.png")
const FALLING := preload("res://art/alien/alienBlue_fall.png")
const STEPS: Array[Texture2D] = [
	preload("res://art/alien/alienBlue_walk1.png"),
	preload("res://art/alien/alienBlue_walk2.png"),
]

var _walked := 0.0
var _jumps_left := 0

@onready var _picture: Sprite2D = $Picture


func _physics_process(delta: float) -> void:
	if is_on_floor():
		_jumps_left = MAX_JUMPS
	else:
		velocity.y += GRAVITY * delta
		_jumps_left = mini(_jumps_left, MAX_JUMPS - 1)
	velocity.x = Input.get_axis("move_left", "move_right") * SPEED
	move_and_slide()
	_show_pose(delta)


func _process(_delta: float) -> void:
	if Input.is_action_just_pressed("jump") and _jumps_left > 0:
		_jumps_left -= 1
		velocity.y = JUMP_VELOCITY
		jumped.emit()


func _show_pose(delta: float) -> void:
	if velocity.x != 0.0:
		_picture.flip_h = velocity.x < 0.0
	if not is_on_floor():
		_picture.texture = RISING if velocity.y < 0.0 else FALLING
	elif velocity.x != 0.0:
		_walked += delta
		_picture.texture = STEPS[int(_walked * 8.0) % STEPS.size()]
	else:
		_picture.texture = STANDING
