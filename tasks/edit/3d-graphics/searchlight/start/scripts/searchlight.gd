class_name Searchlight
extends Node3D
## A lamp on a mast. The turntable turns about its Y axis only, the lamp on it tilts about its X axis only;
## the beam leaves the lamp along its -Z axis.

@export var idle_speed := 20.0  ## degrees per second while there is nobody to follow
@export var rest_pitch := -25.0  ## degrees below the horizon while there is nobody to follow
@export var calm_color := Color(1, 0.93, 0.75)

@onready var turntable: Node3D = $Turntable
@onready var lamp: Node3D = $Turntable/Lamp
@onready var beam: SpotLight3D = $Turntable/Lamp/Beam


func _ready() -> void:
	lamp.rotation_degrees.x = rest_pitch
	beam.light_color = calm_color


func _physics_process(delta: float) -> void:
	turntable.rotate_y(deg_to_rad(idle_speed) * delta)
