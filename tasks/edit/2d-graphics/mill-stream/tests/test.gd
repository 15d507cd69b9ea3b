extends RefCounted
# The water is looked at in the picture: before a black and a white ground its opacity, on a still one its colours,
# and in pictures taken some frames apart how far it has moved.

const SHADER = "res://shaders/water.gdshader"
const STREAM_TONE = Color(0.55, 0.8, 0.95)
const TROUGH_TONE = Color(0.7, 0.85, 0.75)


func test_the_shader(t):
	await t.open()
	var stream = _water(t, "Stream")
	var trough = _water(t, "Trough")
	if not t.check("stream and trough are there", stream != null and trough != null, "no sprite of that name with a ShaderMaterial"):
		return
	t.check("both still use the same shader file", _shader(stream) == SHADER and _shader(trough) == SHADER,
			"the stream uses %s, the trough %s" % [_shader(stream), _shader(trough)])
	var names = stream.material.shader.get_shader_uniform_list().map(func(one): return one.name)
	var missing = ["tone", "flow", "foam_height", "foam", "opacity"].filter(func(name): return not name in names)
	t.check("the shader has all uniforms", missing.is_empty(), "missing: %s" % ", ".join(missing))


func test_opacity(t):
	await t.open()
	var stream = _water(t, "Stream")
	stream.material.set_shader_parameter("flow", 0.0)
	var seen = await _opacity(t, stream)
	t.near("the water is as opaque as asked", seen.water, t.parameter("opacity"), 0.03)
	t.near("the foam is as opaque as asked", seen.foam, t.parameter("opacity"), 0.03)
	stream.material.set_shader_parameter("opacity", 0.3)
	t.near("the opacity follows its uniform", (await _opacity(t, stream)).water, 0.3, 0.03)


func test_foam(t):
	await t.open()
	var stream = _water(t, "Stream")
	_hold(stream)
	_ground(t, stream, Color.BLACK)
	var height = float(t.parameter("foam_height"))
	var foam = Color(t.parameter("foam"))
	var picture = await _drawn(t)
	t.near("the foam has the asked colour", _middle(picture, stream, height / 2.0), foam, 0.03)
	t.near("the foam is as high as asked", _rows_of(t, picture, stream, foam), height, 1.5)
	var rest = _rect(stream).grow_individual(-2, -height - 3.0, -2, -2)
	t.near("there is foam at the upper edge only", t.share(picture, rest, foam, 0.03), 0.0, 0.01)
	stream.material.set_shader_parameter("foam", Color.RED)
	stream.material.set_shader_parameter("foam_height", 40.0)
	stream.material.set_shader_parameter("tone", Color(0.5, 1.0, 0.5))
	picture = await _drawn(t)
	t.near("colour and height of the foam follow their uniforms", _rows_of(t, picture, stream, Color.RED), 40.0, 1.5)
	t.near("the tone follows its uniform", _off(t, picture, stream, Color(0.5, 1.0, 0.5), 44), 0.0, 0.02)


func test_flow(t):
	await t.open()
	var stream = _water(t, "Stream")
	stream.material.set_shader_parameter("opacity", 1.0)
	var flow = float(t.parameter("flow"))
	for frames in [20, 33]:
		var way = await _way(t, stream, frames)
		t.check("the water flows as fast as asked", _same_way(way.pixels, flow * way.seconds),
				"in %.2f s it moved %s, expected %.0f" % [way.seconds, _right(way.pixels), flow * way.seconds])
	stream.material.set_shader_parameter("flow", -flow / 2.0)
	var back = await _way(t, stream, 26)
	t.check("the flow follows its uniform", _same_way(back.pixels, -flow / 2.0 * back.seconds),
			"with flow %s it moved %s in %.2f s" % [-flow / 2.0, _right(back.pixels), back.seconds])
	_hold(stream)
	var picture = await _drawn(t)
	t.near("without flow the water shows its picture as before", _off(t, picture, stream, STREAM_TONE, 32), 0.0, 0.02)


func test_the_trough(t):
	await t.open()
	var trough = _water(t, "Trough")
	var early = await _drawn(t)
	t.near("the trough shows its water as before", _off(t, early, trough, TROUGH_TONE, 0), 0.0, 0.02)
	await t.frames(37)
	var moved = t.difference(early, await _drawn(t), _rect(trough))
	t.near("the water of the trough does not move", moved, 0.0, 0.01)
	var seen = await _opacity(t, trough)
	t.near("the water of the trough is solid", minf(seen.water, seen.foam), 1.0, 0.02)


func test_the_rest(t):
	await t.open()
	t.near("stream and trough are where they were", [_rect(_water(t, "Stream")), _rect(_water(t, "Trough"))].reduce(
			func(one, other): return one.merge(other)), Rect2(320, 462, 888, 258), 1.0)
	var miller = t.the("CharacterBody2D")
	t.check("miller, wheel and both fish are there", miller != null and t.role(["wheel"], "Node2D") != null
			and t.all("Sprite2D", null, func(one): return str(one.name).begins_with("Fish")).size() == 2, "one of them is gone")
	t.press("ui_right")
	await t.seconds(1)
	t.near("the miller walks over the bridge", miller.global_position, Vector2(920, 528), 12.0)


# A sprite with water. Its material becomes its own, so that what a test sets does not outlast it.
func _water(t, name):
	var sprite = t.the("Sprite2D", null, func(one): return str(one.name) == name and t.is_a(one.material, "ShaderMaterial"))
	if sprite != null and not sprite.has_meta("own"):
		sprite.material = sprite.material.duplicate()
		sprite.set_meta("own", true)
	return sprite


func _shader(sprite):
	return sprite.material.shader.resource_path if sprite.material.shader != null else "none"


func _rect(sprite):
	return sprite.get_global_transform_with_canvas() * sprite.get_rect()


# Still and solid, so that only the colours count.
func _hold(sprite):
	sprite.material.set_shader_parameter("flow", 0.0)
	sprite.material.set_shader_parameter("opacity", 1.0)


# A plain ground right behind the sprite, in place of fish and stones.
func _ground(t, sprite, color):
	var ground = t.make("ColorRect", {
		"color": color, "position": sprite.position, "size": sprite.get_rect().size, "z_index": sprite.z_index})
	sprite.add_sibling(ground)
	sprite.get_parent().move_child(ground, sprite.get_index())
	return ground


func _drawn(t):
	await t.frames(3)
	return await t.picture()


# How much of the ground is hidden: the less of a white one is seen, compared with a black one, the more.
func _opacity(t, sprite):
	var ground = _ground(t, sprite, Color.BLACK)
	var black = await _drawn(t)
	ground.color = Color.WHITE
	var white = await _drawn(t)
	t.free_now(ground)
	return {"foam": _hidden(black, white, sprite, 3.0), "water": _hidden(black, white, sprite, 30.0)}


func _hidden(black, white, sprite, depth):
	return 1.0 - (_middle(white, sprite, depth).r - _middle(black, sprite, depth).r)


func _middle(picture, sprite, depth):
	var area = _rect(sprite)
	return picture.get_pixelv(Vector2i(Vector2(area.get_center().x, area.position.y + depth)))


# How many rows from the top are of that colour.
func _rows_of(t, picture, sprite, color):
	var area = Rect2i(_rect(sprite))
	for row in area.size.y:
		if t.share(picture, Rect2(area.position.x + 4, area.position.y + row, area.size.x - 8, 1), color, 0.06) < 0.9:
			return row
	return area.size.y


# By how much, on average, the water is off the colours of its picture times the tone.
func _off(t, picture, sprite, tone, from_row):
	var art = sprite.texture.get_image()
	if art.is_compressed():
		art.decompress()
	var area = Rect2i(_rect(sprite))
	var total = 0.0
	var count = 0
	for y in range(from_row, area.size.y - 2, 3):
		for x in range(2, area.size.x - 2, 7):
			var color = art.get_pixel(x % art.get_width(), y % art.get_height()) * tone
			total += t.distance(picture.get_pixel(area.position.x + x, area.position.y + y), color)
			count += 1
	return total / count


# How many pixels to the right the water has moved after so many frames, within its picture of 128.
func _way(t, sprite, frames):
	var one = await _drawn(t)
	var began = t.frame()
	await t.frames(frames)
	var two = await t.picture()
	var seconds = (t.frame() - began) / 60.0
	var area = Rect2i(_rect(sprite))
	var best = 0
	var least = INF
	for pixels in 128:
		var off = 0.0
		for y in range(area.position.y + 36, area.end.y - 4, 8):
			for x in range(area.position.x + 132, area.position.x + 260, 3):
				off += absf(two.get_pixel(x + pixels, y).r - one.get_pixel(x, y).r)
		if off < least:
			least = off
			best = pixels
	return {"pixels": best, "seconds": seconds}


func _same_way(pixels, expected):
	return absf(wrapf(pixels - expected, -64.0, 64.0)) <= 1.6


func _right(pixels):
	return "%d pixels to the right (or %d to the left)" % [pixels, 128 - pixels]
