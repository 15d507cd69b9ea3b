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

var state := "patrol"

var _near_for := 0.0  # seconds without a break
var _far_for := 0.0
var _left_at := Vector2.ZERO
var _next := 0
var _walked := 0.0

@onready var _picture: Sprite2D = $Picture
@onready var _mark: Label = $Mark


func _process(delta: float) -> void:
	var distance := _distance()
	match state:
		"patrol":
			if distance <= hear_distance:
				_left_at = global_position
				_change("suspicious")
		"suspicious":
			_count(distance <= hear_distance, delta)
			if _near_for >= notice_time:
				_change("chase")
			elif _far_for >= forget_time:
				_change("return")
		"chase":
			_count(distance <= lose_distance, delta)
			if _far_for >= forget_time:
				_change("return")
		"return":
			if distance <= hear_distance:
				_change("suspicious")
			elif global_position == _left_at:
				_change("patrol")


func _physics_process(delta: float) -> void:
	match state:
		"patrol":
			if _walk(route[_next], patrol_speed, delta):
				_next = (_next + 1) % route.size()
		"chase":
			var thief: Node2D = get_tree().get_first_node_in_group("thief")
			if thief != null:
				_walk(thief.global_position, chase_speed, delta)
		"return":
			_walk(_left_at, patrol_speed, delta)
	_show_pose(delta)


func _distance() -> float:
	var thief: Node2D = get_tree().get_first_node_in_group("thief")
	return global_position.distance_to(thief.global_position) if thief != null else INF


func _count(near: bool, delta: float) -> void:
	_near_for = _near_for + delta if near else 0.0
	_far_for = 0.0 if near else _far_for + delta


func _change(to: String) -> void:
	state = to
	velocity = Vector2.ZERO
	_near_for = 0.0
	_far_for = 0.0
	_mark.text = {"suspicious": "?", "chase": "!"}.get(state, "")
	state_changed.emit(state)


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
