extends Node2D
## The boat rocks on the waves.

var _age := 0.0
var _height := 0.0


func _ready() -> void:
	_height = position.y


func _process(delta: float) -> void:
	_age += delta
	position.y = _height + sin(_age * 1.6) * 5.0
	rotation = sin(_age * 1.1) * 0.025
