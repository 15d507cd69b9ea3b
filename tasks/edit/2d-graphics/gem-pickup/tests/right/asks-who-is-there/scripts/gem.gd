extends Area2D
# A gem that the hero picks up by touching it.

signal collected(value: int)

@export var value := 1
@export var picture: Texture2D

@onready var _picture: Sprite2D = $Picture


func _ready() -> void:
	_picture.texture = picture


func _physics_process(_delta: float) -> void:
	if not has_overlapping_bodies():
		return
	set_physics_process(false)
	collected.emit(value)
	var tween := create_tween().set_parallel()
	tween.tween_property(_picture, "position:y", -90.0, 0.6).as_relative()
	tween.tween_property(_picture, "modulate:a", 0.0, 0.6)
	tween.chain().tween_callback(queue_free)
