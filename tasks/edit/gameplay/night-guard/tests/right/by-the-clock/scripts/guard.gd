extends CharacterBody2D
## A robot that walks its round in the garden.

signal caught(who: Node2D)
signal state_changed(state: String)

const STEPS: Array[Texture2D] = [
	preload("res://art/people/robot_walk0.png"),
	preload("res://art/people/robot_walk2.png"),
	preload("res://art/people/robot_walk4.png"),
	preload("res://art/people/robot_walk6.png"),
]
const STANDING := preload("res://art/people/robot_idle.png")

@export var route: Array[Vector2] = []
@export var patrol_speed := 90.0
@export var hear_distance := 170.0
@export var lose_distance := 300.0
@export var notice_time := 0.8
@export var forget_time := 1.5
@export var chase_speed := 170.0

var state := "patrol":
	set(value):
		if value != state:
			state = value
			_mark.text = {"suspicious": "?", "chase": "!"}.get(state, "")
			state_changed.emit(state)

var _near_since := 0.0  # on its own clock
var _far_since := 0.0
var _clock := 0.0
var _left_at := Vector2.ZERO
var _next := 0
var _walked := 0.0

@onready var _picture: Sprite2D = $Picture
@onready var _mark: Label = $Mark


func _physics_process(delta: float) -> void:
	var thief: Node2D = get_tree().get_first_node_in_group("thief")
	var distance := global_position.distance_to(thief.global_position) if thief != null else INF
	_clock += delta
	match state:
		"patrol":
			if distance <= hear_distance:
				_left_at = global_position
				_change("suspicious")
			elif _walk(route[_next], patrol_speed, delta):
				_next = (_next + 1) % route.size()
		"suspicious":
			_count(distance <= hear_distance)
			if _clock - _near_since >= notice_time - 0.001:
				_change("chase")
			elif _clock - _far_since >= forget_time - 0.001:
				_change("return")
		"chase":
			_count(distance <= lose_distance)
			if _clock - _far_since >= forget_time - 0.001:
				_change("return")
			elif thief != null:
				_walk(thief.global_position, chase_speed, delta)
		"return":
			if distance <= hear_distance:
				_change("suspicious")
			elif _walk(_left_at, patrol_speed, delta):
				_change("patrol")
	_show_pose(delta)


func _count(near: bool) -> void:
	if near:
		_far_since = _clock
	else:
		_near_since = _clock


func _change(to: String) -> void:
	state = to
	velocity = Vector2.ZERO
	_near_since = _clock
	_far_since = _clock


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
