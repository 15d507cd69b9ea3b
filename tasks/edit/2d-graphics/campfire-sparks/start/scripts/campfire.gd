extends Area2D
## A fire that whoever stands at it can light and put out with a key.

signal changed(lit: bool)

@export var lit := true
@export var sparks: Node2D  ## particles that are emitted while the fire burns

var _age := 0.0

@onready var _flame: Sprite2D = $Flame
@onready var _smoke: CPUParticles2D = $Smoke


func _ready() -> void:
	_show()


func _process(delta: float) -> void:
	_age += delta
	_flame.scale = Vector2(2.4 + sin(_age * 9.0) * 0.12, 2.4 + sin(_age * 13.0) * 0.2)
	if Input.is_action_just_pressed("ui_accept") and has_overlapping_bodies():
		lit = not lit
		_smoke.emitting = not lit
		_show()
		changed.emit(lit)


func _show() -> void:
	_flame.visible = lit
	if sparks != null:
		sparks.set("emitting", lit)
