class_name Swarm
extends Node2D
## The enemies: real Sprite2D nodes that circle a few wandering centres.

const COUNT := 240
const GROUPS := 6
const CELL := 64.0
const HIT_RADIUS := 20.0
const LOOKS: Array[Texture2D] = [
	preload("res://art/drone_a.svg"),
	preload("res://art/drone_b.svg"),
	preload("res://art/drone_c.svg"),
]

var _drones: Array[Sprite2D] = []
var _radius := PackedFloat32Array()
var _phase := PackedFloat32Array()
var _turn := PackedFloat32Array()
var _age: float = 0.0
# Drones by grid cell, rebuilt each frame, so a bolt asks only its neighbours.
var _cells: Dictionary[Vector2i, PackedInt32Array] = {}


func _ready() -> void:
	for i: int in COUNT:
		var drone := Sprite2D.new()
		drone.texture = LOOKS[i % LOOKS.size()]
		drone.scale = Vector2.ONE * randf_range(0.75, 1.15)
		add_child(drone)
		_drones.append(drone)
		_radius.append(randf_range(40.0, 230.0))
		_phase.append(randf() * TAU)
		_turn.append(randf_range(0.5, 1.3) * (1.0 if i % 2 == 0 else -1.0))
		drone.position = _target(i)


func advance(delta: float, prey: Vector2) -> void:
	_age += delta
	_cells.clear()
	for i: int in COUNT:
		var drone: Sprite2D = _drones[i]
		var step: Vector2 = (_target(i) - drone.position) * minf(delta * 1.8, 1.0)
		# Returning drones fly in, they do not blink into place.
		step = step.limit_length(420.0 * delta)
		var away: Vector2 = drone.position - prey
		if away.length_squared() < 14400.0:
			step += away.normalized() * 180.0 * delta
		drone.position += step
		drone.rotation = lerp_angle(drone.rotation, step.angle(), minf(delta * 8.0, 1.0))
		var cell := Vector2i(drone.position / CELL)
		if not _cells.has(cell):
			_cells[cell] = PackedInt32Array()
		_cells[cell].append(i)


func position_of(i: int) -> Vector2:
	return _drones[i].position


## Index of a drone touching the point, or -1.
func hit_at(point: Vector2) -> int:
	var home := Vector2i(point / CELL)
	for dy: int in range(-1, 2):
		for dx: int in range(-1, 2):
			for i: int in _cells.get(home + Vector2i(dx, dy), PackedInt32Array()):
				if _drones[i].position.distance_squared_to(point) < HIT_RADIUS * HIT_RADIUS:
					return i
	return -1


## A destroyed drone comes back as reinforcement from beyond the screen's edge.
func send_away(i: int) -> void:
	var side: float = randf() * TAU
	_drones[i].position = Vector2(640, 360) + Vector2.from_angle(side) * randf_range(820.0, 1000.0)


func _target(i: int) -> Vector2:
	var group: int = i % GROUPS
	var t: float = _age * 0.28 + group * TAU / GROUPS
	var center := Vector2(640.0 + 430.0 * sin(t * 1.3 + group), 330.0 + 230.0 * cos(t * 1.7))
	var breathe: float = 1.0 + 0.25 * sin(_age * 1.1 + group)
	return center + Vector2.from_angle(_phase[i] + _age * _turn[i]) * _radius[i] * breathe
