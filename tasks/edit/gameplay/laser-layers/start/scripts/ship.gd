extends CharacterBody2D
## The player's ship: flies left and right, shoots, takes rescue pods on board.

signal damaged
signal pod_rescued

const SPEED := 420.0

@export var laser_scene: PackedScene

var hits_taken := 0

@onready var _nose: Marker2D = $Nose


func _physics_process(_delta: float) -> void:
	velocity = Vector2(Input.get_axis("move_left", "move_right") * SPEED, 0.0)
	move_and_slide()
	position.x = clampf(position.x, 60.0, 1220.0)
	if Input.is_action_just_pressed("shoot"):
		shoot()


func shoot() -> void:
	var laser: Node2D = laser_scene.instantiate()
	laser.position = _nose.global_position
	get_parent().add_child(laser)


## Something harmful struck the ship.
func hit() -> void:
	hits_taken += 1
	damaged.emit()


func _on_hull_body_entered(body: Node2D) -> void:
	if body.is_in_group("pods"):
		pod_rescued.emit()
		body.queue_free()
	else:
		hit()
