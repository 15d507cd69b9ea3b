class_name SpritePool
extends MultiMeshInstance2D
## Many moving sprites in one draw call. Dead ones are swapped with the last.

@export var capacity: int = 256
@export var sprite_size := Vector2(32, 32)
## Sprites that leave the screen come back on the other side (drifting debris).
@export var wraps: bool = false
## Sprites shrink and fade with age (sparks).
@export var fades: bool = false

const FIELD := Rect2(-60, -60, 1400, 840)
# Two rows of a 2D transform (8 floats) and a colour (4 floats).
const STRIDE := 12

var count: int = 0
var pos := PackedVector2Array()
var vel := PackedVector2Array()
var _angle := PackedFloat32Array()
var _spin := PackedFloat32Array()
var _scale := PackedFloat32Array()
var _life := PackedFloat32Array()
var _span := PackedFloat32Array()
var _tint := PackedColorArray()
var _buffer := PackedFloat32Array()


func _ready() -> void:
	var quad := QuadMesh.new()
	# A quad's y axis points up, the canvas' points down.
	quad.size = Vector2(sprite_size.x, -sprite_size.y)
	multimesh = MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_2D
	multimesh.use_colors = true
	multimesh.mesh = quad
	multimesh.instance_count = capacity
	multimesh.visible_instance_count = 0
	# Fixed bounds: otherwise they are computed anew from every sprite.
	multimesh.custom_aabb = AABB(Vector3(-200, -200, -1), Vector3(1680, 1120, 2))
	_buffer.resize(capacity * STRIDE)
	pos.resize(capacity)
	vel.resize(capacity)
	_angle.resize(capacity)
	_spin.resize(capacity)
	_scale.resize(capacity)
	_life.resize(capacity)
	_span.resize(capacity)
	_tint.resize(capacity)


func add(at: Vector2, velocity: Vector2, size: float, life: float, tint := Color.WHITE, spin := 0.0) -> void:
	if count >= capacity:
		return
	pos[count] = at
	vel[count] = velocity
	_angle[count] = velocity.angle()
	_spin[count] = spin
	_scale[count] = size
	_life[count] = life
	_span[count] = life
	_tint[count] = tint
	count += 1


func remove(i: int) -> void:
	count -= 1
	pos[i] = pos[count]
	vel[i] = vel[count]
	_angle[i] = _angle[count]
	_spin[i] = _spin[count]
	_scale[i] = _scale[count]
	_life[i] = _life[count]
	_span[i] = _span[count]
	_tint[i] = _tint[count]


func advance(delta: float) -> void:
	# Backwards, because remove() pulls the last sprite into the hole.
	for i: int in range(count - 1, -1, -1):
		pos[i] += vel[i] * delta
		_angle[i] += _spin[i] * delta
		if wraps:
			pos[i] = (pos[i] - FIELD.position).posmodv(FIELD.size) + FIELD.position
			continue
		_life[i] -= delta
		if _life[i] <= 0.0 or not FIELD.has_point(pos[i]):
			remove(i)


func draw_all() -> void:
	for i: int in count:
		var size: float = _scale[i]
		var tint: Color = _tint[i]
		if fades:
			var left: float = _life[i] / _span[i]
			size *= 0.4 + 0.6 * left
			tint.a *= left
		var c: float = cos(_angle[i]) * size
		var s: float = sin(_angle[i]) * size
		var at: int = i * STRIDE
		_buffer[at] = c
		_buffer[at + 1] = -s
		_buffer[at + 3] = pos[i].x
		_buffer[at + 4] = s
		_buffer[at + 5] = c
		_buffer[at + 7] = pos[i].y
		_buffer[at + 8] = tint.r
		_buffer[at + 9] = tint.g
		_buffer[at + 10] = tint.b
		_buffer[at + 11] = tint.a
	multimesh.buffer = _buffer
	multimesh.visible_instance_count = count
