extends Node2D
## A bat flutters to and fro below the ceiling and squeaks.

var _age := 0.0
var _squeak_in := 0.4

@onready var _picture: Sprite2D = $Picture
@onready var _squeak: AudioStreamPlayer2D = $Squeak


func _physics_process(delta: float) -> void:
	_age += delta
	position += Vector2(cos(_age * 0.8) * 150.0, sin(_age * 5.0) * 60.0) * delta
	_picture.flip_h = cos(_age * 0.8) > 0.0
	_picture.rotation = sin(_age * 14.0) * 0.2
	_squeak_in -= delta
	if _squeak_in <= 0.0:
		_squeak_in = 2.1
		_squeak.play()
