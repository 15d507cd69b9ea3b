extends AnimatableBody3D
## A cart that goes to and fro between the field and the yard whenever the way is open.

const SPEED := 2.0

@export var bridge: Node3D
@export var field := 11.0  ## where it turns, along Z
@export var yard := -7.0

var _to_the_yard := true
var _rest := 1.0


func _physics_process(delta: float) -> void:
	_rest -= delta
	if _rest > 0.0:
		return
	var goal := yard if _to_the_yard else field
	var before_the_moat := position.z > 8.0 if _to_the_yard else position.z < -1.5
	if before_the_moat and not bridge.way_open and absf(position.z - (8.2 if _to_the_yard else -1.7)) < 0.1:
		return
	position.z = move_toward(position.z, goal, SPEED * delta)
	if position.z == goal:
		_to_the_yard = not _to_the_yard
		_rest = 2.0
