extends Node3D
## Shuffles around its starting place in a circle.

@export var radius := 1.5
@export var speed := 0.5
@export var frames: Array[Texture2D] = []

var _middle := Vector3.ZERO
var _angle := 0.0

@onready var _picture: Sprite3D = $Picture


func _ready() -> void:
	_middle = position


func _physics_process(delta: float) -> void:
	_angle += speed * delta
	position = _middle + Vector3(sin(_angle), 0.0, cos(_angle) - 1.0) * radius
	if not frames.is_empty():
		_picture.texture = frames[int(_angle * 8.0) % frames.size()]
