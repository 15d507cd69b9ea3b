extends AnimatableBody2D
## A bee hovers in its place until it is scared away.

signal scared

var times_scared := 0

var _age := 0.0

@onready var _picture: Sprite2D = $Picture


func _physics_process(delta: float) -> void:
	_age += delta
	_picture.position.y = sin(_age * 5.0) * 6.0
	if times_scared > 0:
		position += Vector2(160, -420) * delta


func scare() -> void:
	times_scared += 1
	scared.emit()
