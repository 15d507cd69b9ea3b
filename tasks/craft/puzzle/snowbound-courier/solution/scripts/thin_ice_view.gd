class_name ThinIceView
extends Node2D
## A pane that carries one crossing: first pale with hairline cracks, then open water with floating shards.

var _pane: Node2D
var _hole: Node2D


func setup(size: float, cell: Vector2i) -> void:
	_hole = Node2D.new()
	add_child(_hole)
	_hole.add_child(Art.sprite(Art.tile("water"), Vector2.ZERO, size + 0.5, Color(0.3, 0.5, 0.72)))
	# Shards drift along the rim of the hole, never in its middle.
	for i: int in 4:
		var angle: float = TAU * i / 4.0 + 0.4 + Art.scatter(cell.x * 7 + i, cell.y * 3) * 1.1
		var wide: float = size * (0.14 + 0.16 * Art.scatter(cell.y + i, cell.x))
		var shard: Sprite2D = Art.sprite(Art.scenery("meteorGrey_small1"), Vector2.from_angle(angle) * size * 0.42, wide, Color(1.25, 1.5, 1.7))
		shard.rotation = angle * 2.0
		_hole.add_child(shard)
	_pane = Node2D.new()
	add_child(_pane)
	_pane.add_child(Art.sprite(Art.tile("water"), Vector2.ZERO, size + 0.5, Color(0.78, 0.95, 1.0)))
	_pane.add_child(Art.sprite(Art.tile("snowCenter_rounded"), Vector2.ZERO, size * 0.9, Color(1.3, 1.5, 1.6, 0.42)))
	_add_cracks(size, cell)


func rest(broken: bool) -> void:
	_pane.visible = not broken
	_pane.scale = Vector2.ONE
	_hole.visible = broken


func shatter() -> void:
	_hole.visible = true
	_hole.modulate.a = 0.0
	create_tween().tween_property(_hole, "modulate:a", 1.0, 0.15)
	_pane.visible = false


## One long crack from rim to rim with two branches.
func _add_cracks(size: float, cell: Vector2i) -> void:
	var lean: float = Art.scatter(cell.x * 3 + 1, cell.y * 5) - 0.5
	var bend := Vector2(lean * 0.3, 0.08) * size
	_crack([Vector2(-0.46, lean * 0.5) * size, Vector2(-0.2, 0.1 - lean * 0.4) * size, bend, Vector2(0.24, lean * 0.5 - 0.08) * size, Vector2(0.47, -lean * 0.4) * size])
	_crack([bend, Vector2(0.08 - lean * 0.2, -0.2) * size, Vector2(-lean * 0.5, -0.46) * size])
	_crack([Vector2(-0.2, 0.1 - lean * 0.4) * size, Vector2(-0.1, 0.3) * size, Vector2(lean * 0.5, 0.46) * size])


func _crack(points: PackedVector2Array) -> void:
	for pass_number: int in 2:
		var line := Line2D.new()
		# A pale twin beside the dark line makes it look cut into the ice.
		line.position = Vector2(1.5, 1.5) if pass_number == 0 else Vector2.ZERO
		line.width = 3.0 if pass_number == 0 else 2.2
		line.default_color = Color(1, 1, 1, 0.9) if pass_number == 0 else Color(0.13, 0.4, 0.62, 0.95)
		line.points = points
		_pane.add_child(line)
