extends Area2D
# A gem that the hero picks up by touching it.

signal collected(value: int)

@export var value := 1
@export var picture: Texture2D

@onready var _picture: Sprite2D = $Picture


func _ready() -> void:
	_picture.texture = picture
	body_entered.connect(_on_body_entered)


func _on_body_entered(_body: Node2D) -> void:
	collected.emit(value)
	queue_free()
