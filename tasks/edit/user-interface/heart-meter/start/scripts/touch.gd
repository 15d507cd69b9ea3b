extends Area2D
## Something that changes the hero's health when he touches it.

enum Effect { HURT, HEAL, GROW }

@export var effect := Effect.HURT
@export var points := 3
@export var used_up := false


func _ready() -> void:
	body_entered.connect(_on_body_entered)


func _on_body_entered(body: Node2D) -> void:
	if not body is Hero:
		return
	match effect:
		Effect.HURT:
			body.hurt(points)
		Effect.HEAL:
			body.heal(points)
		Effect.GROW:
			body.grow(points)
	if used_up:
		queue_free()
