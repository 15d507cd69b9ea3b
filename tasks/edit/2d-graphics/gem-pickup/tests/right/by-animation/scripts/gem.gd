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
	body_entered.disconnect(_on_body_entered)
	collected.emit(value)
	var animation := Animation.new()
	animation.length = 0.6
	_drive(animation, "Picture:position", _picture.position, _picture.position + Vector2(0, -90))
	_drive(animation, "Picture:self_modulate", Color.WHITE, Color(1, 1, 1, 0))
	var library := AnimationLibrary.new()
	library.add_animation(&"away", animation)
	var player := AnimationPlayer.new()
	add_child(player)
	player.add_animation_library(&"", library)
	player.animation_finished.connect(func(_name: StringName) -> void: queue_free())
	player.play(&"away")


func _drive(animation: Animation, path: String, from: Variant, to: Variant) -> void:
	var track := animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, path)
	animation.track_insert_key(track, 0.0, from)
	animation.track_insert_key(track, 0.6, to)
