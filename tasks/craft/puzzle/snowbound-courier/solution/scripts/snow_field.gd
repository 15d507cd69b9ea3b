class_name SnowField
extends Node2D
## The snowy ground around a pond: light of the hour, trees, boulders and drifts outside the ice.

## Each corner of the country has its own light.
const TINTS: Array[Color] = [Color("eef8ff"), Color("fbe4e6"), Color("aab6e6")]
const LANTERN_REGION := 2

var _torches: Array[Sprite2D] = []
var _time: float = 0.0


func build(region: int, keep_clear: Array[Rect2], salt: int) -> void:
	add_child(Art.snow_ground(Rect2(0, 0, 1280, 720), TINTS[region]))
	if region == LANTERN_REGION:
		_light_lanterns(keep_clear[0])
	var grown := Node2D.new()
	grown.y_sort_enabled = true
	for row: int in 12:
		for column: int in 19:
			_plant(grown, row, column, keep_clear, salt, region)
	add_child(grown)


func _process(delta: float) -> void:
	_time += delta
	for i: int in _torches.size():
		_torches[i].texture = Art.tile("torch%d" % (1 + int(_time * 6.0 + i) % 2))


## Torches on the shore, each in its own pool of warm light.
func _light_lanterns(pond: Rect2) -> void:
	var shore: Rect2 = pond.grow(30.0)
	for at: Vector2 in [shore.position, Vector2(shore.end.x, shore.position.y), Vector2(shore.position.x, shore.end.y), shore.end] as Array[Vector2]:
		add_child(Art.sprite(Art.dot(), at, 250.0, Color(1.0, 0.72, 0.35, 0.5)))
		var torch: Sprite2D = Art.sprite(Art.tile("torch1"), at + Vector2(0, -18), 84.0)
		torch.z_index = 1
		add_child(torch)
		_torches.append(torch)


func _plant(parent: Node2D, row: int, column: int, keep_clear: Array[Rect2], salt: int, region: int) -> void:
	var pick: float = Art.scatter(column * 31 + salt * 7, row * 17 + salt)
	var at := Vector2(column * 70.0 + Art.scatter(row, column + salt) * 40.0 - 10.0, row * 66.0 + Art.scatter(column, row + salt) * 34.0 - 10.0)
	for rect: Rect2 in keep_clear:
		if rect.grow(44.0).has_point(at):
			return
	var dim: Color = TINTS[region].lerp(Color.WHITE, 0.35)
	var node: Node2D = null
	if pick < 0.42:
		node = Art.pine(at, 58.0 + 30.0 * Art.scatter(row + 3, column))
	elif pick < 0.5:
		node = Art.boulder(at, 44.0 + 20.0 * pick, row + column)
	elif pick < 0.8:
		node = Art.sprite(Art.drift(), at, 74.0, Color(0.78, 0.87, 0.97, 0.8))
	if node != null:
		node.modulate *= dim
		parent.add_child(node)
