class_name Backdrop
extends Node2D
## What lies behind the cave: a sky of dark air and two slow layers of hanging and standing rock.

const LAYERS: Array[float] = [0.3, 0.55]

var _layers: Array[Node2D] = []


func build(mood: Dictionary, width: float, height: float, open_sky: bool) -> void:
	var canvas := CanvasLayer.new()
	canvas.layer = -10
	add_child(canvas)
	var air := TextureRect.new()
	air.texture = Art.vertical(mood.sky[0], mood.sky[1])
	air.stretch_mode = TextureRect.STRETCH_SCALE
	air.set_anchors_preset(Control.PRESET_FULL_RECT)
	air.mouse_filter = Control.MOUSE_FILTER_IGNORE
	canvas.add_child(air)
	var rng := RandomNumberGenerator.new()
	rng.seed = 41
	for depth: int in LAYERS.size():
		var layer := Node2D.new()
		add_child(layer)
		_layers.append(layer)
		var tint: Color = mood.rock.lerp(mood.sky[1], 0.55 - 0.3 * depth)
		# A layer that scrolls slower needs less width to cover the whole walk.
		var x: float = -1400.0
		while x < width * LAYERS[depth] + 2400.0:
			if open_sky:
				_hill(layer, Vector2(x, height * 0.62 + 160.0 * depth), rng.randf_range(3.4, 5.4), tint)
				x += rng.randf_range(260.0, 420.0)
				continue
			var size: float = rng.randf_range(2.2, 4.2) - 0.8 * depth
			_spike(layer, Vector2(x, height * 0.06 - 120.0 * depth), size, true, tint)
			if rng.randf() < 0.75:
				_spike(layer, Vector2(x + 190.0, height * 1.06), size * 1.1, false, tint)
			if rng.randf() < 0.5:
				_hill(layer, Vector2(x + 90.0, height * 0.98), rng.randf_range(2.0, 3.4), tint)
			x += rng.randf_range(300.0, 460.0)


func follow(centre: Vector2) -> void:
	for depth: int in _layers.size():
		_layers[depth].position.x = centre.x * (1.0 - LAYERS[depth]) - 300.0
		_layers[depth].position.y = (centre.y - 900.0) * (1.0 - LAYERS[depth]) * 0.5


func _spike(layer: Node2D, at: Vector2, size: float, hanging: bool, tint: Color) -> void:
	var sprite := Sprite2D.new()
	sprite.texture = Art.tile("spikes")
	sprite.centered = false
	sprite.region_enabled = true
	sprite.region_rect = Rect2(0, 64, 128, 64)
	sprite.offset = Vector2(-64, 0 if hanging else -64)
	sprite.flip_v = hanging
	sprite.scale = Vector2(size, size * 2.2)
	sprite.position = at
	sprite.modulate = tint
	layer.add_child(sprite)


func _hill(layer: Node2D, at: Vector2, size: float, tint: Color) -> void:
	var sprite := Sprite2D.new()
	sprite.texture = load("res://art/fx/meteorGrey_big%d.png" % (1 if int(at.x) % 2 == 0 else 4))
	sprite.scale = Vector2(size * 1.3, size)
	sprite.position = at
	sprite.modulate = tint
	layer.add_child(sprite)
