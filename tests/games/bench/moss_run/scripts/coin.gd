class_name Coin
extends Area2D

signal collected

var _age: float = 0.0

@onready var _sprite: Sprite2D = $Sprite


func _ready() -> void:
	# Neighbouring coins spin out of step.
	_age = position.x * 0.01
	body_entered.connect(_on_body_entered)


func _process(delta: float) -> void:
	_age += delta
	_sprite.frame = int(_age * 8.0) % 4
	_sprite.position.y = sin(_age * 3.0) * 3.0


func _on_body_entered(body: Node2D) -> void:
	if not body is Player:
		return
	collected.emit()
	set_deferred(&"monitoring", false)
	_sprite.hide()
	$Sparkle.emitting = true
	$Sparkle.finished.connect(queue_free)
