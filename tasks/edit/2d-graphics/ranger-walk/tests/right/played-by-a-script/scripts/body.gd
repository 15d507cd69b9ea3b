extends AnimatedSprite2D
## The ranger is under way as soon as she is there.


func _ready() -> void:
	play(&"walk")
