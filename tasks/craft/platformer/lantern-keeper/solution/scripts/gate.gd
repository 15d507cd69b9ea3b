class_name Gate
extends StaticBody2D
## A stack of blocks across the way. A lever gate slides up into the rock, a locked one bursts at the touch of the key.

signal opened

var locked: bool = false
var height: int = 3
var is_open: bool = false

var _blocks: Array[Sprite2D] = []
var _shape := CollisionShape2D.new()


## The gate's position is the middle of its topmost block.
func _ready() -> void:
	collision_layer = 1
	collision_mask = 0
	_shape.shape = RectangleShape2D.new()
	(_shape.shape as RectangleShape2D).size = Vector2(CaveTiles.SIZE * 0.8, CaveTiles.SIZE * height)
	_shape.position.y = CaveTiles.SIZE * (height - 1) / 2.0
	add_child(_shape)
	for row: int in height:
		var block := Sprite2D.new()
		block.texture = Art.tile("lockYellow" if locked else "brickBrown")
		block.position.y = row * CaveTiles.SIZE
		add_child(block)
		_blocks.append(block)


func middle() -> Vector2:
	return position + _shape.position


func open() -> void:
	if is_open:
		return
	is_open = true
	_shape.set_deferred(&"disabled", true)
	opened.emit()
	for index: int in _blocks.size():
		var tween: Tween = create_tween()
		if locked:
			tween.tween_interval(0.12 * index)
			tween.tween_callback(_shatter.bind(_blocks[index]))
			tween.tween_property(_blocks[index], "scale", Vector2(1.3, 1.3), 0.08)
			tween.tween_property(_blocks[index], "scale", Vector2.ZERO, 0.18)
		else:
			tween.tween_interval(0.35)
			tween.tween_property(_blocks[index], "position:y", _blocks[index].position.y - CaveTiles.SIZE * height, 0.8) \
					.set_trans(Tween.TRANS_CUBIC).set_ease(Tween.EASE_IN_OUT)


func open_quietly() -> void:
	is_open = true
	_shape.set_deferred(&"disabled", true)
	hide()


func _shatter(block: Sprite2D) -> void:
	Fx.burst(get_parent(), position + block.position, Art.dot(), Color(1.0, 0.8, 0.2), 16, 460.0, 1.2)
