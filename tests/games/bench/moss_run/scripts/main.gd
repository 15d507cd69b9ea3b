extends Node2D
## Builds the level from its text map and keeps the score.

const TILE := ForestTiles.SIZE
const COIN: PackedScene = preload("res://scenes/coin.tscn")
const CRATE: PackedScene = preload("res://scenes/crate.tscn")
const BEETLE: PackedScene = preload("res://scenes/beetle.tscn")
const PLATFORM: PackedScene = preload("res://scenes/moving_platform.tscn")
const SPIKES: PackedScene = preload("res://scenes/spikes.tscn")
const DECOR_KEYS := "fmbs"

var _coins: int = 0
var _coin_total: int = 0
var _falls: int = 0
var _seconds: float = 0.0
var _finished: bool = false

@onready var _tiles: TileMapLayer = $Tiles
@onready var _decor: TileMapLayer = $Decor
@onready var _things: Node2D = $Things
@onready var _player: Player = $Player
@onready var _camera: Camera2D = $Player/Camera
@onready var _flag: Area2D = $Flag
@onready var _hud: Hud = $Hud


func _ready() -> void:
	var tile_set: TileSet = ForestTiles.build(preload("res://art/tiles.svg"))
	_tiles.tile_set = tile_set
	_decor.tile_set = tile_set
	for row: int in LevelData.ROWS.size():
		for column: int in LevelData.ROWS[row].length():
			_place(LevelData.ROWS[row][column], Vector2i(column, row))
	_camera.limit_right = LevelData.ROWS[0].length() * TILE
	_player.hurt.connect(func() -> void: _falls += 1)
	_flag.body_entered.connect(_on_flag)
	_apply_scenario()
	_camera.reset_smoothing()


func _process(delta: float) -> void:
	if not _finished:
		_seconds += delta
	_hud.show_counts(_coins, _coin_total, _falls, _seconds)


func _place(key: String, cell: Vector2i) -> void:
	var at: Vector2 = _tiles.map_to_local(cell)
	match key:
		"#":
			_tiles.set_cell(cell, 0, _earth_tile(cell))
		"=":
			_tiles.set_cell(cell, 0, ForestTiles.PLANK)
		"B":
			_tiles.set_cell(cell, 0, ForestTiles.BRICK)
		"P":
			_player.position = at
		"F":
			_flag.position = at + Vector2(0, TILE / 2.0)
		"o":
			var coin := _spawn(COIN, at) as Coin
			coin.collected.connect(func() -> void: _coins += 1)
			_coin_total += 1
		"C":
			_spawn(CRATE, at)
		"E":
			_spawn(BEETLE, at)
		"M":
			_spawn(PLATFORM, at)
		"^":
			_spawn(SPIKES, at + Vector2(0, 12))
		_:
			var index: int = DECOR_KEYS.find(key)
			if index >= 0:
				_decor.set_cell(cell, 0, ForestTiles.DECOR[index])


## Grass only where the sky is above; a few odd tiles break the repetition.
func _earth_tile(cell: Vector2i) -> Vector2i:
	var covered: bool = cell.y > 0 and LevelData.ROWS[cell.y - 1][cell.x] == "#"
	var odd: bool = (cell.x * 7 + cell.y * 3) % 5 == 0
	if covered:
		return ForestTiles.STONY if odd else ForestTiles.DIRT
	return ForestTiles.FLOWERS if odd else ForestTiles.GRASS


func _spawn(scene: PackedScene, at: Vector2) -> Node2D:
	var node: Node2D = scene.instantiate()
	node.position = at
	_things.add_child(node)
	return node


func _on_flag(body: Node2D) -> void:
	if body is Player and not _finished:
		_finished = true
		_hud.announce("The forest is yours!  %.1f s" % _seconds)
		$Flag/Sparkle.emitting = true


func _apply_scenario() -> void:
	var args: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = args.find("--scenario")
	if at >= 0 and at + 1 < args.size() and args[at + 1] == "halfway":
		_player.position = _tiles.map_to_local(LevelData.HALFWAY)
		_hud.announce("Halfway through the forest")
	else:
		_hud.announce("Reach the red flag")
