extends Area2D
## The flag at the end of the way goes up when the hero is there.

signal reached

@export var raised: Texture2D

@onready var _picture: Sprite2D = $Picture


func _on_body_entered(_body: Node2D) -> void:
	if _picture.texture != raised:
		_picture.texture = raised
		reached.emit()
