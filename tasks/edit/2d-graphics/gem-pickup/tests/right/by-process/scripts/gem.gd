extends Area2D
# A gem that the hero picks up by touching it.

signal collected(value: int)

@export var value := 1
@export var picture: Texture2D

var _floating := -1.0  # seconds since the touch

@onready var _picture: Sprite2D = $Picture


func _ready() -> void:
	_picture.texture = picture
	body_entered.connect(_on_body_entered)


func _on_body_entered(_body: Node2D) -> void:
	body_entered.disconnect(_on_body_entered)
	collected.emit(value)
	_floating = 0.0


func _process(delta: float) -> void:
	if _floating < 0.0:
		return
	_floating += delta
	var share := minf(_floating / 0.6, 1.0)
	_picture.position.y = -90.0 * share
	_picture.modulate.a = 1.0 - share
	if share == 1.0:
		queue_free()
