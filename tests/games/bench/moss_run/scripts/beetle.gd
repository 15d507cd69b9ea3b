class_name Beetle
extends CharacterBody2D
## Patrols its ledge; turns at walls and edges; can be stomped.

signal stomped

const SPEED := 70.0
const GRAVITY := 1500.0

var _facing: float = -1.0
var _age: float = 0.0

@onready var _sprite: Sprite2D = $Sprite
@onready var _edge: RayCast2D = $Edge


func _ready() -> void:
	$Touch.body_entered.connect(_on_touch)


func _physics_process(delta: float) -> void:
	_age += delta
	velocity = Vector2(_facing * SPEED, velocity.y + GRAVITY * delta)
	move_and_slide()
	if is_on_floor() and (is_on_wall() or not _edge.is_colliding()):
		_facing = -_facing
	_edge.position.x = _facing * 24.0
	_sprite.flip_h = _facing < 0.0
	_sprite.frame = int(_age * 8.0) % 2


func _on_touch(body: Node2D) -> void:
	var player := body as Player
	if player == null:
		return
	if player.velocity.y > 0.0 and player.position.y < position.y - 12.0:
		player.bounce()
		stomped.emit()
		_squash()
	else:
		player.take_hit()


func _squash() -> void:
	set_physics_process(false)
	$Touch.set_deferred(&"monitoring", false)
	$Shape.set_deferred(&"disabled", true)
	var tween: Tween = create_tween()
	tween.tween_property(_sprite, "scale", Vector2(1.3, 0.2), 0.12)
	tween.tween_property(_sprite, "modulate:a", 0.0, 0.4)
	tween.tween_callback(queue_free)
