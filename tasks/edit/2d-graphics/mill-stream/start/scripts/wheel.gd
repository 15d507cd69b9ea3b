extends Node2D
## The wheel of the mill turns with the stream.

@export var turns_per_minute := 5.0


func _process(delta: float) -> void:
	rotation += TAU * turns_per_minute / 60.0 * delta
