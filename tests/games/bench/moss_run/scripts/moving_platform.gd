class_name MovingPlatform
extends AnimatableBody2D
## Swings between two points so that riders are carried along.

@export var travel := Vector2(170, 0)
@export var seconds: float = 4.0

var _home: Vector2
var _age: float = 0.0


func _ready() -> void:
	_home = position


func _physics_process(delta: float) -> void:
	_age += delta
	position = _home + travel * sin(_age * TAU / seconds)
