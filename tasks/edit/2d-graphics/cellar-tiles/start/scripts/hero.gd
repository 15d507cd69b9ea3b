extends CharacterBody2D
## The maid walks, jumps and climbs through the cellar. What a tile does to her is written in the tile set.

signal hurt(amount: int)

const WALK_SPEED := 320.0
const CLIMB_SPEED := 260.0
const JUMP_SPEED := 1040.0
const GRAVITY := 1900.0
const REST_AFTER_HURT := 1.0

@export var tiles: TileMapLayer

var health := 12
var standing_on := ""

var _rest := 0.0

@onready var _body: Sprite2D = $Body


func _physics_process(delta: float) -> void:
	velocity.x = Input.get_axis("ui_left", "ui_right") * WALK_SPEED
	var at := global_position - Vector2(0, 20)
	if _data(at, "climb", false) and Input.is_action_pressed("ui_up"):
		velocity.y = -CLIMB_SPEED
	else:
		velocity.y += GRAVITY * delta
	if is_on_floor() and Input.is_action_just_pressed("ui_accept"):
		velocity.y = -JUMP_SPEED
	move_and_slide()
	standing_on = _data(global_position + Vector2(0, 8), "surface", "") if is_on_floor() else ""
	_rest = maxf(_rest - delta, 0.0)
	var damage: int = _data(at, "damage", 0)
	if damage > 0 and _rest == 0.0:
		_rest = REST_AFTER_HURT
		health = maxi(health - damage, 0)
		hurt.emit(damage)
	if velocity.x != 0.0:
		_body.flip_h = velocity.x < 0.0
	_body.modulate = Color(1, 0.5, 0.5) if _rest > 0.0 else Color.WHITE


# What the tile set says about a place, or the other value where it says nothing.
func _data(place: Vector2, layer: String, otherwise: Variant) -> Variant:
	if tiles.tile_set.get_custom_data_layer_by_name(layer) < 0:
		return otherwise
	var tile := tiles.get_cell_tile_data(tiles.local_to_map(tiles.to_local(place)))
	return tile.get_custom_data(layer) if tile != null else otherwise
