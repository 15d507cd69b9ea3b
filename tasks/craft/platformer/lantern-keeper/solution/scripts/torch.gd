class_name Torch
extends Area2D
## A cold torch on the wall. The keeper's flame wakes it; from then on it is a place of rest and return.

signal woken(torch: Torch)

const REFILL := 26.0
const REACH := 620.0

var lit: bool = false
## Grows from nothing when the torch is woken, so that the light spreads over the walls.
var radius: float = 0.0

var _age: float = 0.0
var _sprite := Sprite2D.new()
var _halo := Sprite2D.new()
var _embers: CPUParticles2D


func _ready() -> void:
	collision_layer = 0
	collision_mask = 2
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(90, 128)
	add_child(shape)
	var plate := Sprite2D.new()
	plate.texture = Art.tile("brickGrey")
	plate.scale = Vector2(0.62, 0.9)
	plate.position = Vector2(0, -6)
	plate.modulate = Color(0.62, 0.64, 0.72)
	add_child(plate)
	_sprite.texture = Art.tile("torchOff")
	_sprite.scale = Vector2(1.15, 1.15)
	_sprite.position = Vector2(0, -6)
	# Over the dark, but cold in colour: a goal should be found, not stumbled upon.
	_sprite.z_index = 51
	_sprite.modulate = Color(0.62, 0.68, 0.85)
	add_child(_sprite)
	_halo.texture = Art.glow()
	_halo.material = Art.additive()
	_halo.position = Vector2(0, -40)
	_halo.z_index = 60
	_halo.modulate = Color(1.0, 0.6, 0.22, 0.0)
	add_child(_halo)
	_embers = Fx.embers(12, 0.6)
	_embers.position = Vector2(0, -50)
	_embers.emitting = false
	add_child(_embers)


func _physics_process(delta: float) -> void:
	for body: Node2D in get_overlapping_bodies():
		var keeper := body as Keeper
		if keeper and keeper.alive:
			if not lit:
				wake()
			keeper.refill(REFILL * delta)


func _process(delta: float) -> void:
	if not lit:
		return
	_age += delta
	_sprite.texture = Art.tile("torch1" if int(_age * 8.0) % 2 == 0 else "torch2")
	_halo.scale = Vector2.ONE * (2.6 + 0.12 * sin(_age * 9.0)) * radius / REACH


func wake(quietly: bool = false) -> void:
	lit = true
	_embers.emitting = true
	_sprite.modulate = Color.WHITE
	_sprite.z_index = 0
	_halo.modulate.a = 0.5
	if quietly:
		radius = REACH
		return
	var tween: Tween = create_tween()
	tween.tween_property(self, "radius", REACH * 1.25, 0.45).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	tween.tween_property(self, "radius", REACH, 0.5)
	var pop: Tween = create_tween()
	_sprite.scale = Vector2(1.7, 1.7)
	pop.tween_property(_sprite, "scale", Vector2(1.15, 1.15), 0.5).set_trans(Tween.TRANS_ELASTIC).set_ease(Tween.EASE_OUT)
	Fx.burst(get_parent(), position + Vector2(0, -50), Art.dot(), Color(1.0, 0.7, 0.25), 34, 620.0, 1.3)
	woken.emit(self)


func light() -> Vector4:
	return Vector4(global_position.x, global_position.y - 40.0, radius * (1.0 + 0.02 * sin(_age * 11.0)), 1.1)
