extends Sprite3D
## Walks up and down in front of the crates.

@export var reach := 2.6
@export var speed := 1.2

var _start := Vector3.ZERO
var _time := 0.0


func _ready() -> void:
	_start = position


func _process(delta: float) -> void:
	_time += delta * speed / reach
	position = _start + Vector3(sin(_time) * reach, absf(sin(_time * 6.0)) * 0.06, 0.0)
	flip_h = cos(_time) < 0.0
