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
	set_deferred(&"monitoring", false)
	body_entered.disconnect(_on_body_entered)
	collected.emit(value)
	var tween := create_tween()
	tween.tween_property(self, "position", position + Vector2.UP * 90.0, 0.6)
	tween.parallel().tween_property(self, "modulate", Color(modulate, 0.0), 0.6)
	await tween.finished
	queue_free()
