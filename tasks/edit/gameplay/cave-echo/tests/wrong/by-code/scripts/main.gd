extends Node2D
## Counts the gems; lets a bat fly in from time to time.

const MOST_BATS := 4

@export var bat_scene: PackedScene

var gems := 0

@onready var _count: Label = $Hud/Count
@onready var _chime: AudioStreamPlayer = $Hud/Chime
@onready var _hole: Marker2D = $Hole


func _enter_tree() -> void:
	if AudioServer.get_bus_index("Cave") >= 0:
		return
	AudioServer.add_bus()
	AudioServer.set_bus_name(2, "Cave")
	AudioServer.set_bus_send(2, "Master")
	AudioServer.set_bus_volume_db(2, -5.0)
	var echo := AudioEffectReverb.new()
	echo.room_size = 0.9
	echo.wet = 0.4
	AudioServer.add_bus_effect(2, echo)


func _ready() -> void:
	for gem in get_tree().get_nodes_in_group("gems"):
		gem.taken.connect(_on_gem_taken)


func _on_gem_taken() -> void:
	gems += 1
	_count.text = "Gems: %d" % gems
	_chime.play()


func _on_next_bat_timeout() -> void:
	if get_tree().get_nodes_in_group("bats").size() >= MOST_BATS:
		return
	var bat: Node2D = bat_scene.instantiate()
	bat.position = _hole.position
	add_child(bat)
