extends Sprite2D
## A tree sways in the wind.

@export var phase := 0.0

var _age := 0.0


func _process(delta: float) -> void:
	_age += delta
	rotation = sin(_age * 1.4 + phase) * 0.05
