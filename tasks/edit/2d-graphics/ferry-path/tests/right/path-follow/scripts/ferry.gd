class_name Ferry
extends Node2D
## A ferry between two piers.

const SPEED := 140.0
const WAIT := 2.0

@export var route: Path2D

var _way := 1.0
var _turning := 0.0

@onready var _wake: Node2D = $Wake
@onready var _follow := PathFollow2D.new()
@onready var _remote := RemoteTransform2D.new()


func _ready() -> void:
	_follow.loop = false
	_remote.rotation = PI / 2.0
	_remote.update_scale = false
	_follow.add_child(_remote)
	route.add_child(_follow)
	_remote.remote_path = _remote.get_path_to(self)


func _physics_process(delta: float) -> void:
	if _turning > 0.0:
		_turning = maxf(_turning - delta, 0.0)
		_remote.rotation += PI / WAIT * delta
		_wake.visible = _turning < 0.001
		return
	_follow.progress += SPEED * delta * _way
	if _follow.progress_ratio >= 1.0 and _way > 0.0 or _follow.progress_ratio <= 0.0 and _way < 0.0:
		_way = -_way
		_turning = WAIT
		_wake.hide()
