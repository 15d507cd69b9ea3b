extends Node2D
# One of everything a 2D game draws with. `doctor` shows its picture; `setup` plays it once so that the shaders
# of the engine are compiled before the first real game.

const COLOURS: Array[Color] = [
	Color("e8e8e8"), Color("e5c94b"), Color("4bc4c9"), Color("5cb85c"), Color("b65cb8"), Color("d9534f"), Color("4b6ee5"),
]

var _clock: Label
var _spinner: Sprite2D
var _body: RigidBody2D


func _ready() -> void:
	_add_background()
	_add_bars()
	_add_sprites()
	_add_shapes()
	_add_widgets()
	_add_particles()
	_add_physics()


func _process(delta: float) -> void:
	_spinner.rotation += delta
	_clock.text = "%05.2f s   pointer %s" % [Time.get_ticks_msec() / 1000.0, get_global_mouse_position()]
	queue_redraw()


func _draw() -> void:
	draw_arc(Vector2(640, 360), 150, 0, TAU, 64, Color(1, 1, 1, 0.5), 3.0, true)
	draw_line(Vector2(0, 360), Vector2(1280, 360), Color(1, 1, 1, 0.25), 1.0)
	draw_circle(Vector2(640, 360), 18, Color(1, 1, 1, 0.4))
	draw_polyline(PackedVector2Array([Vector2(440, 500), Vector2(500, 440), Vector2(560, 500)]), Color.WHITE, 4.0, true)
	draw_string(ThemeDB.fallback_font, Vector2(500, 620), "drawn text 0123456789", HORIZONTAL_ALIGNMENT_LEFT, -1, 28)


func _picture(size: int) -> ImageTexture:
	var image := Image.create(size, size, false, Image.FORMAT_RGBA8)
	for y in size:
		for x in size:
			var on := (x / 8 + y / 8) % 2 == 0
			var inside := Vector2(x - size / 2.0, y - size / 2.0).length() < size / 2.0
			image.set_pixel(x, y, Color(1, 0.7, 0.2) if on else Color(0.3, 0.2, 0.5) if inside else Color.TRANSPARENT)
	return ImageTexture.create_from_image(image)


func _add_background() -> void:
	var layer := CanvasLayer.new()
	layer.layer = -10
	add_child(layer)
	var back := ColorRect.new()
	back.set_anchors_preset(Control.PRESET_FULL_RECT)
	back.material = ShaderMaterial.new()
	back.material.shader = load("res://wave.gdshader")
	layer.add_child(back)


func _add_bars() -> void:
	for index in COLOURS.size():
		var bar := ColorRect.new()
		bar.color = COLOURS[index]
		bar.position = Vector2(60 + index * 60, 60)
		bar.size = Vector2(60, 110)
		add_child(bar)


func _add_sprites() -> void:
	_spinner = Sprite2D.new()
	_spinner.texture = _picture(96)
	_spinner.position = Vector2(640, 360)
	add_child(_spinner)
	for mode in [CanvasItemMaterial.BLEND_MODE_MIX, CanvasItemMaterial.BLEND_MODE_ADD, CanvasItemMaterial.BLEND_MODE_SUB, CanvasItemMaterial.BLEND_MODE_MUL]:
		var sprite := Sprite2D.new()
		sprite.texture = _spinner.texture
		sprite.position = Vector2(120 + mode * 110, 300)
		sprite.modulate = Color(0.7, 0.9, 1.0, 0.8)
		sprite.texture_filter = CanvasItem.TEXTURE_FILTER_NEAREST if mode % 2 else CanvasItem.TEXTURE_FILTER_LINEAR
		sprite.material = CanvasItemMaterial.new()
		sprite.material.blend_mode = mode
		add_child(sprite)
	var many := MultiMeshInstance2D.new()
	many.texture = _spinner.texture
	many.multimesh = MultiMesh.new()
	many.multimesh.mesh = QuadMesh.new()
	many.multimesh.mesh.size = Vector2(24, -24)
	many.multimesh.use_colors = true
	many.multimesh.instance_count = 24
	for index in 24:
		many.multimesh.set_instance_transform_2d(index, Transform2D(0.3 * index, Vector2(80 + index * 18, 420)))
		many.multimesh.set_instance_color(index, COLOURS[index % 7])
	add_child(many)


func _add_shapes() -> void:
	var polygon := Polygon2D.new()
	polygon.polygon = PackedVector2Array([Vector2(80, 480), Vector2(200, 470), Vector2(240, 560), Vector2(120, 600)])
	polygon.color = Color(0.3, 0.7, 0.6)
	polygon.antialiased = true
	add_child(polygon)
	var line := Line2D.new()
	line.points = PackedVector2Array([Vector2(270, 580), Vector2(330, 480), Vector2(390, 580), Vector2(430, 500)])
	line.width = 8
	line.default_color = Color(0.9, 0.5, 0.4)
	add_child(line)


func _add_widgets() -> void:
	var layer := CanvasLayer.new()
	add_child(layer)
	var panel := PanelContainer.new()
	panel.position = Vector2(880, 70)
	panel.custom_minimum_size = Vector2(330, 330)
	var style := StyleBoxFlat.new()
	style.bg_color = Color(0.1, 0.12, 0.18, 0.9)
	style.border_color = Color(0.9, 0.8, 0.5)
	style.set_border_width_all(3)
	style.set_corner_radius_all(12)
	style.set_content_margin_all(14)
	style.shadow_size = 8
	panel.add_theme_stylebox_override(&"panel", style)
	layer.add_child(panel)
	var column := VBoxContainer.new()
	column.add_theme_constant_override(&"separation", 10)
	panel.add_child(column)
	var title := Label.new()
	title.text = "GameCraft test card"
	title.add_theme_font_size_override(&"font_size", 28)
	title.add_theme_constant_override(&"outline_size", 4)
	column.add_child(title)
	_clock = Label.new()
	column.add_child(_clock)
	for widget: Control in [Button.new(), CheckBox.new(), LineEdit.new()]:
		widget.set(&"text", widget.get_class())
		column.add_child(widget)
	var slider := HSlider.new()
	slider.value = 40
	column.add_child(slider)
	var bar := ProgressBar.new()
	bar.value = 60
	column.add_child(bar)
	var rich := RichTextLabel.new()
	rich.bbcode_enabled = true
	rich.fit_content = true
	rich.text = "[b]rich[/b] [color=orange]text[/color]"
	column.add_child(rich)
	var patch := NinePatchRect.new()
	patch.texture = _spinner.texture
	patch.position = Vector2(900, 440)
	patch.size = Vector2(260, 90)
	patch.patch_margin_left = 24
	patch.patch_margin_right = 24
	patch.patch_margin_top = 24
	patch.patch_margin_bottom = 24
	layer.add_child(patch)


func _add_particles() -> void:
	var particles := CPUParticles2D.new()
	particles.position = Vector2(1000, 640)
	particles.amount = 40
	particles.texture = _picture(16)
	particles.gravity = Vector2(0, -90)
	particles.spread = 60.0
	particles.initial_velocity_max = 90.0
	add_child(particles)


func _add_physics() -> void:
	var floor_body := StaticBody2D.new()
	floor_body.position = Vector2(320, 700)
	floor_body.add_child(_box(Vector2(600, 20)))
	add_child(floor_body)
	_body = RigidBody2D.new()
	_body.position = Vector2(320, 640)
	_body.add_child(_box(Vector2(32, 32)))
	var look := Sprite2D.new()
	look.texture = _picture(32)
	_body.add_child(look)
	add_child(_body)


func _box(size: Vector2) -> CollisionShape2D:
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	shape.shape.size = size
	return shape
