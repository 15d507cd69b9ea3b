extends Node2D
## A drop falls from the ceiling again and again, and is heard when it lands.

const GRAVITY := 900.0

@export var depth := 400.0  ## how far it falls
@export var wait := 1.5  ## seconds between two drops

var _speed := 0.0
var _waiting := 0.0

@onready var _drop: Node2D = $Picture
@onready var _sound: AudioStreamPlayer2D = $Sound


func _physics_process(delta: float) -> void:
	if _waiting > 0.0:
		_waiting -= delta
		_drop.visible = _waiting <= 0.0
		return
	_speed += GRAVITY * delta
	_drop.position.y += _speed * delta
	if _drop.position.y >= depth:
		_drop.position.y = 0.0
		_speed = 0.0
		_waiting = wait
		_drop.visible = false
		_sound.play()
