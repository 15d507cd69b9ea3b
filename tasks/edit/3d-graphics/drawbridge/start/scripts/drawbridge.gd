extends Node3D
## A drawbridge. It only says what is wanted; the tree moves it, and its animations call back.

signal opened
signal closed
signal refused

@export var tree: AnimationTree

var wanted_down := false
var way_open := false

@onready var _load: Area3D = $Load
@onready var _barrier: CollisionShape3D = $Shore/Middle


func _physics_process(_delta: float) -> void:
	if tree == null:
		return
	var loaded := _load.has_overlapping_bodies()
	tree.set("parameters/conditions/lower", wanted_down)
	tree.set("parameters/conditions/raise", not wanted_down and not loaded)
	tree.set("parameters/conditions/shake", not wanted_down and loaded)


## The lever was pulled.
func pull() -> void:
	wanted_down = not wanted_down


func open_way() -> void:
	way_open = true
	_barrier.set_deferred("disabled", true)
	opened.emit()


func close_way() -> void:
	way_open = false
	_barrier.set_deferred("disabled", false)
	closed.emit()


## Too heavy: the bridge stays down.
func refuse() -> void:
	wanted_down = true
	refused.emit()
