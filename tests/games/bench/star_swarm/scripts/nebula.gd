class_name Nebula
extends Node2D
## Large translucent sheets that turn and drift; nearly every pixel is drawn often.

@export var drift: float = 30.0

var _age: float = 0.0
var _homes: Array[Vector2] = []


func _ready() -> void:
	for sheet: Node in get_children():
		_homes.append((sheet as Node2D).position)


func _process(delta: float) -> void:
	_age += delta
	for i: int in get_child_count():
		var sheet: Node2D = get_child(i)
		sheet.position = _homes[i] + Vector2(sin(_age * 0.21 + i), cos(_age * 0.17 + i * 2.0)) * drift
		sheet.rotation += delta * (0.03 + 0.01 * i) * (1.0 if i % 2 == 0 else -1.0)
