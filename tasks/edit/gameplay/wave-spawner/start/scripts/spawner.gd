extends Node2D
## Sends waves of slimes out of the gates. A wave begins after a pause; the next pause begins when all are gone.

signal wave_began(number: int)
signal wave_cleared(number: int)

@export var enemy_scene: PackedScene
@export var gates: Array[Marker2D] = []
@export var pause: Timer
@export var beat: Timer
@export var wave_size := 0  ## slimes of the first wave
@export var growth := 0  ## how many more each further wave has

var wave := 0
var left := 0  ## slimes of this wave that are still to come
var fighting := false


func _physics_process(_delta: float) -> void:
	if fighting and left <= 0 and get_tree().get_nodes_in_group("enemies").is_empty():
		fighting = false
		wave_cleared.emit(wave)
		pause.start()


func begin_wave() -> void:
	wave += 1
	left = wave_size + growth * (wave - 1)
	fighting = true
	beat.start()
	wave_began.emit(wave)


func spawn_one() -> void:
	var slime: Node2D = enemy_scene.instantiate()
	left -= 1
	slime.position = gates[left % gates.size()].global_position
	add_sibling(slime)
	if left == 0:
		beat.stop()


func stop() -> void:
	fighting = false
	pause.stop()
	beat.stop()
