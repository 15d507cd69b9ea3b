class_name HandTorch
extends Node2D
## The flame the keeper carries. Its size is the flame that is left.

const FLAME_REGION := Rect2(38, 8, 52, 46)

var strength: float = 1.0

var _age: float = 0.0
var _flame := Sprite2D.new()
var _halo := Sprite2D.new()
var _embers: CPUParticles2D


func _ready() -> void:
	var handle := Sprite2D.new()
	handle.texture = Art.tile("torchOff")
	handle.scale = Vector2(0.62, 0.62)
	add_child(handle)
	_flame.texture = Art.tile("torch1")
	_flame.region_enabled = true
	_flame.region_rect = FLAME_REGION
	_flame.offset = Vector2(0, -20)
	_flame.position = Vector2(0, -6)
	_flame.z_index = 45
	add_child(_flame)
	_halo.texture = Art.glow()
	_halo.material = Art.additive()
	_halo.position = Vector2(0, -24)
	_halo.z_index = 51
	add_child(_halo)
	_embers = Fx.embers(7, 0.45)
	_embers.position = Vector2(0, -26)
	add_child(_embers)


func _process(delta: float) -> void:
	_age += delta
	_flame.texture = Art.tile("torch1" if int(_age * 9.0) % 2 == 0 else "torch2")
	var size: float = 0.0 if strength <= 0.0 else 0.35 + 0.65 * strength
	_flame.scale = Vector2(size, size * (1.0 + 0.08 * sin(_age * 17.0)))
	_halo.scale = Vector2.ONE * size * (1.5 + 0.06 * sin(_age * 13.0))
	_halo.modulate = Color(1.0, 0.62, 0.25, 0.5 * size)
	_embers.emitting = strength > 0.0
