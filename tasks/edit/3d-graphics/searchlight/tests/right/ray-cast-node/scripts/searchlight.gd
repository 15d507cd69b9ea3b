class_name Searchlight
extends Node3D
## A lamp on a mast. The turntable turns about its Y axis only, the lamp on it tilts about its X axis only;
## the beam leaves the lamp along its -Z axis.

signal target_locked(target: Node3D)
signal target_lost

const WALLS := 1
const LOCK_ANGLE := 3.0

@export var idle_speed := 20.0  ## degrees per second while there is nobody to follow
@export var rest_pitch := -25.0  ## degrees below the horizon while there is nobody to follow
@export var calm_color := Color(1, 0.93, 0.75)
@export var alarm_color := Color("#ff4030")
@export var turn_speed := 90.0  ## degrees per second, at most
@export var steepest := 55.0  ## degrees below the horizon, at most
@export var reach := 14.0

var locked := false:
	set(value):
		if value != locked:
			locked = value
			beam.light_color = alarm_color if locked else calm_color
			if locked:
				target_locked.emit(_followed)
			else:
				target_lost.emit()

@onready var turntable: Node3D = $Turntable
@onready var lamp: Node3D = $Turntable/Lamp
@onready var beam: SpotLight3D = $Turntable/Lamp/Beam

var _followed: Node3D
var _ray := RayCast3D.new()


func _ready() -> void:
	lamp.rotation_degrees.x = rest_pitch
	beam.light_color = calm_color
	_ray.collision_mask = WALLS
	_ray.enabled = false
	add_child(_ray)


func _physics_process(delta: float) -> void:
	var target := _nearest_in_sight()
	if target == null or target != _followed:
		locked = false
	_followed = target
	var most := deg_to_rad(turn_speed) * delta
	if target == null:
		turntable.rotate_y(deg_to_rad(idle_speed) * delta)
		lamp.rotation.x = move_toward(lamp.rotation.x, deg_to_rad(rest_pitch), most)
		return
	var way := turntable.get_parent_node_3d().to_local(target.global_position) - turntable.position - lamp.position
	var yaw := atan2(-way.x, -way.z)
	var pitch := atan2(way.y, Vector2(way.x, way.z).length())
	turntable.rotation.y += clampf(wrapf(yaw - turntable.rotation.y, -PI, PI), -most, most)
	lamp.rotation.x = move_toward(lamp.rotation.x, clampf(pitch, -deg_to_rad(steepest), 0.0), most)
	var off := rad_to_deg((-lamp.global_basis.z).angle_to(target.global_position - lamp.global_position))
	locked = off <= LOCK_ANGLE


func _nearest_in_sight() -> Node3D:
	var best: Node3D = null
	var best_distance := reach
	for node in get_tree().get_nodes_in_group("intruders"):
		var intruder := node as Node3D
		if intruder == null or intruder.is_queued_for_deletion():
			continue
		var distance := lamp.global_position.distance_to(intruder.global_position)
		if distance <= best_distance and _in_sight(intruder):
			best = intruder
			best_distance = distance
	return best


func _in_sight(intruder: Node3D) -> bool:
	_ray.global_position = lamp.global_position
	_ray.target_position = _ray.to_local(intruder.global_position)
	_ray.force_raycast_update()
	return not _ray.is_colliding()
