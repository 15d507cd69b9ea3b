extends HBoxContainer
## The row of hearts in the corner of the screen.

const HEART := preload("res://scenes/heart.tscn")
const POINTS := 2

@export var hero: Hero


func _ready() -> void:
	hero.health_changed.connect(_show)
	_show(hero.health, hero.max_health)


func _show(health: int, max_health: int) -> void:
	for heart in get_children():
		heart.free()
	for index in max_health / POINTS:
		var heart := HEART.instantiate()
		heart.value = clampf(health / float(POINTS) - index, 0.0, 1.0)
		add_child(heart)
