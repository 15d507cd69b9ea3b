extends Timer
## Connects the spawner's timers.


func _ready() -> void:
	timeout.connect(get_parent().begin_wave)
	get_node("../Beat").timeout.connect(get_parent().spawn_one)
