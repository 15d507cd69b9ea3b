class_name Tile
extends Node2D
## One cell: a glass pane and, perhaps, a piece standing on it.

enum Kind { BARE, EMBER, MIRROR, SPLITTER, CRYSTAL, STONE }

const ART: Dictionary[Kind, Texture2D] = {
	Kind.EMBER: preload("res://art/ember.svg"),
	Kind.MIRROR: preload("res://art/mirror.svg"),
	Kind.SPLITTER: preload("res://art/splitter.svg"),
	Kind.CRYSTAL: preload("res://art/crystal.svg"),
	Kind.STONE: preload("res://art/stone.svg"),
}

var kind: Kind = Kind.BARE
var facing := Vector2i.RIGHT
## True when the mirror leans like a backslash.
var leans_back: bool = false
var lit: bool = false
var _glow: float = 0.0
var _hover: float = 0.0
var _hovered: bool = false
var _turns: int = 0
var _materials: Array[ShaderMaterial] = []

@onready var _pane: Sprite2D = $Pane
@onready var _piece: Sprite2D = $Piece
@onready var _sparks: CPUParticles2D = $Sparks


func setup(key: String) -> void:
	match key:
		">", "<", "^", "v":
			kind = Kind.EMBER
			facing = {">": Vector2i.RIGHT, "<": Vector2i.LEFT, "^": Vector2i.UP, "v": Vector2i.DOWN}[key]
		"/", "\\":
			kind = Kind.MIRROR
		"S", "Z":
			kind = Kind.SPLITTER
		"X":
			kind = Kind.CRYSTAL
		"#":
			kind = Kind.STONE
	leans_back = key == "\\" or key == "Z"
	if kind != Kind.BARE:
		_piece.texture = ART[kind]
	if kind == Kind.EMBER:
		_piece.rotation = Vector2(facing).angle()
	elif leans_back:
		_turns = 1
		_piece.rotation = PI / 2.0
	# Every tile owns its materials: each has its own phase, glow and burn.
	var phase: float = randf()
	for sprite: Sprite2D in [_pane, _piece]:
		var own: ShaderMaterial = sprite.material.duplicate()
		own.set_shader_parameter(&"phase", phase)
		own.set_shader_parameter(&"dissolve", 1.0)
		sprite.material = own
		_materials.append(own)


func can_turn() -> bool:
	return kind == Kind.MIRROR or kind == Kind.SPLITTER


func turn() -> void:
	leans_back = not leans_back
	_turns += 1
	create_tween().tween_property(_piece, "rotation", _turns * PI / 2.0, 0.25) \
			.set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)


## Direction of a ray after this tile's mirror.
func reflect(direction: Vector2i) -> Vector2i:
	if leans_back:
		return Vector2i(direction.y, direction.x)
	return Vector2i(-direction.y, -direction.x)


func set_hovered(on: bool) -> void:
	_hovered = on


func set_lit(on: bool) -> void:
	lit = on
	_sparks.emitting = on and kind == Kind.CRYSTAL


## Burns the tile away (to 1) or lets it grow back (to 0).
func burn(to: float, delay: float) -> void:
	var tween: Tween = create_tween()
	tween.tween_interval(delay)
	tween.tween_method(_set_dissolve, 1.0 - to, to, 0.7)


func _set_dissolve(amount: float) -> void:
	for own: ShaderMaterial in _materials:
		own.set_shader_parameter(&"dissolve", amount)


func _process(delta: float) -> void:
	_glow = move_toward(_glow, 1.0 if lit or kind == Kind.EMBER else 0.0, delta * 4.0)
	_hover = move_toward(_hover, 1.0 if _hovered else 0.0, delta * 6.0)
	_materials[0].set_shader_parameter(&"lit", _glow * 0.25)
	_materials[0].set_shader_parameter(&"hover", _hover)
	_materials[1].set_shader_parameter(&"lit", _glow if kind == Kind.CRYSTAL else _glow * 0.35)
	_materials[1].set_shader_parameter(&"hover", _hover)
