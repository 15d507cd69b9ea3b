class_name ExitDoor
extends Area2D
## Stays shut until every torch of the cave burns; then daylight falls through it.

signal entered

const INNER := Rect2(13, 0, 102, 128)

var is_open: bool = false

var _panel := Sprite2D.new()
var _light := Sprite2D.new()
var _halo := Sprite2D.new()
var _age: float = 0.0


## The door's position is the middle of its lower tile.
func _ready() -> void:
	collision_layer = 0
	collision_mask = 2
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(50, 120)
	add_child(shape)
	var arch := Sprite2D.new()
	arch.texture = Art.tile("doorClosed_top")
	arch.position.y = -CaveTiles.SIZE
	add_child(arch)
	var frame := Sprite2D.new()
	frame.texture = Art.tile("doorClosed_mid")
	add_child(frame)
	_light.texture = Art.vertical(Color(1.0, 0.83, 0.42), Color(1.0, 0.96, 0.78))
	_light.scale = Vector2(INNER.size.x / 16.0, 0.5)
	_light.hide()
	add_child(_light)
	_panel.texture = Art.tile("doorClosed_mid")
	_panel.region_enabled = true
	_panel.region_rect = INNER
	_panel.centered = false
	_panel.position = Vector2(-51, -64)
	add_child(_panel)
	_halo.texture = Art.glow()
	_halo.material = Art.additive()
	_halo.modulate = Color(1.0, 0.85, 0.5, 0.0)
	_halo.position.y = -20.0
	_halo.z_index = 60
	add_child(_halo)


func _process(delta: float) -> void:
	_age += delta
	_halo.scale = Vector2.ONE * (2.4 + 0.1 * sin(_age * 4.0))


func _physics_process(_delta: float) -> void:
	if not is_open:
		return
	for body: Node2D in get_overlapping_bodies():
		if body is Keeper and (body as Keeper).alive and (body as Keeper).is_on_floor():
			set_physics_process(false)
			entered.emit()


func open() -> void:
	_light.show()
	var tween: Tween = create_tween()
	tween.tween_property(_panel, "scale:x", 0.14, 0.6).set_trans(Tween.TRANS_CUBIC).set_ease(Tween.EASE_IN_OUT)
	tween.parallel().tween_property(_halo, "modulate:a", 0.6, 0.6)
	tween.tween_callback(func() -> void: is_open = true)
	Fx.burst(get_parent(), position + Vector2(0, -40), Art.dot(), Color(1.0, 0.9, 0.55), 30, 520.0, 1.2)


func light() -> Vector4:
	return Vector4(global_position.x, global_position.y - 40.0, 460.0 if _light.visible else 190.0, 1.0 if _light.visible else 0.35)
