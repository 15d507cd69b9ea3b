extends Node2D
## Counts what was shot and how often the ship was struck.

var hits := 0

@onready var _ship: CharacterBody2D = $Ship
@onready var _score: Label = $Hud/Score


func _ready() -> void:
	_ship.damaged.connect(_show_score)
	for group: String in ["meteors", "pods", "drones"]:
		for target in get_tree().get_nodes_in_group(group):
			target.destroyed.connect(_on_target_destroyed)


func _on_target_destroyed() -> void:
	hits += 1
	_show_score()


func _show_score() -> void:
	_score.text = "Hits: %d   Damage: %d" % [hits, _ship.hits_taken]
