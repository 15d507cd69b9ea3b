extends HBoxContainer
## The row of hearts in the corner of the screen.

const HEART := preload("res://scenes/heart.tscn")
const POINTS := 2

@export var hero: Hero


func _ready() -> void:
	for index in hero.max_health / POINTS:
		add_child(HEART.instantiate())
	hero.health_changed.connect(_show)
	_show(hero.health, hero.max_health)


func _show(health: int, _max_health: int) -> void:
	for index in get_child_count():
		get_child(index).value = clampf(float(health - index * POINTS) / POINTS, 0.0, 1.0)
