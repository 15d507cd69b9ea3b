extends Sprite2D
## A fish swims up and down the stream.

@export var from_x := 400.0
@export var to_x := 880.0
@export var speed := 70.0

var _age := 0.0
var _depth := 0.0


func _ready() -> void:
	_depth = position.y


func _process(delta: float) -> void:
	_age += delta
	position.x += speed * delta
	if position.x > to_x or position.x < from_x:
		speed = -speed
		position.x = clampf(position.x, from_x, to_x)
	position.y = _depth + sin(_age * 3.0) * 4.0
	flip_h = speed > 0.0
