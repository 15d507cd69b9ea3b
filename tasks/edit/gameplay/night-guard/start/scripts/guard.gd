extends CharacterBody2D
## A robot that walks its round in the garden.

signal caught(who: Node2D)

const STEPS: Array[Texture2D] = [
	preload("res://art/people/robot_walk0.png"),
	preload("res://art/people/robot_walk2.png"),
	preload("res://art/people/robot_walk4.png"),
	preload("res://art/people/robot_walk6.png"),
]
const STANDING := preload("res://art/people/robot_idle.png")

@export var route: Array[Vector2] = []
@export var patrol_speed := 90.0

var _next := 0
var _walked := 0.0

@onready var _picture: Sprite2D = $Picture


func _physics_process(delta: float) -> void:
	if _walk(route[_next], patrol_speed, delta):
		_next = (_next + 1) % route.size()
	_show_pose(delta)


## One step towards a place; true when it has been reached.
func _walk(place: Vector2, speed: float, delta: float) -> bool:
	var way := place - global_position
	if way.length() <= speed * delta:
		velocity = Vector2.ZERO
		global_position = place
		return true
	velocity = way.normalized() * speed
	move_and_slide()
	return false


func _show_pose(delta: float) -> void:
	if velocity == Vector2.ZERO:
		_picture.texture = STANDING
		return
	_walked += delta * velocity.length() / 90.0
	_picture.texture = STEPS[int(_walked * 6.0) % STEPS.size()]
	if velocity.x != 0.0:
		_picture.flip_h = velocity.x < 0.0


func _on_grip_body_entered(body: Node2D) -> void:
	caught.emit(body)
