extends Node2D
## Counts the stars.

var stars := 0

@onready var _count: Label = $Hud/Count


func _ready() -> void:
	for star in get_tree().get_nodes_in_group("stars"):
		star.collected.connect(_on_star_collected)


func _on_star_collected() -> void:
	stars += 1
	_count.text = "Stars: %d" % stars
