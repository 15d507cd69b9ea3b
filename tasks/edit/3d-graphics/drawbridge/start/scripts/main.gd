extends Node3D
## Pulls the lever for the player and shows how it stands.

const UP := preload("res://art/leverLeft.png")
const DOWN := preload("res://art/leverRight.png")

@onready var _bridge: Node3D = $Drawbridge
@onready var _lever: Sprite3D = $Lever


func _physics_process(_delta: float) -> void:
	_lever.texture = DOWN if _bridge.wanted_down else UP


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("pull_lever"):
		_bridge.pull()
