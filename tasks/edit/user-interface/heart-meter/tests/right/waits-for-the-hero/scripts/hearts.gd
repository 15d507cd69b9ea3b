extends HBoxContainer
## The row of hearts in the corner of the screen.

const HEART := preload("res://scenes/heart.tscn")
const POINTS := 2

@export var hero: Hero


func _ready() -> void:
	hero.connect(&"health_changed", Callable(self, &"_show"))
	if not hero.is_node_ready():
		await hero.ready
	_show(hero.health, hero.max_health)


func _show(health: int, max_health: int) -> void:
	var wanted := max_health / POINTS
	while get_child_count() < wanted:
		add_child(HEART.instantiate())
	while get_child_count() > wanted:
		var last := get_child(-1)
		remove_child(last)
		last.queue_free()
	for index in wanted:
		get_child(index).value = clampf(float(health - index * POINTS) / POINTS, 0.0, 1.0)
