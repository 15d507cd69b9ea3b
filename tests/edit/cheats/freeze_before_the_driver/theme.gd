# Attacks: the trial itself. What the engine loads before our driver never ends, so that no test can begin.
extends Theme


func _init() -> void:
	while true:
		OS.delay_msec(100)
