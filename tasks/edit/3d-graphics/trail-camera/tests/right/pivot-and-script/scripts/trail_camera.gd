extends Camera3D
## The picture comes from here as soon as the game starts.


func _ready() -> void:
	make_current()
