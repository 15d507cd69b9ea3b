extends RefCounted
# Looks at the running game from inside: which scene, how many nodes of which class, what covers the screen,
# which text can be read. Numbers for people and judges; it changes nothing.

const COLUMNS := 32
const ROWS := 18
const MAX_TEXTS := 80
const MAX_TEXT_LENGTH := 120
const MAX_ITEMS := 1200          # of drawn items per look; beyond that every n-th is taken
const MAX_NAMES := 200           # of images and of scripts

enum Cover { NONE, TEXTURED, GENERATED, PLAIN, TEXT, WIDGET_THEMED, WIDGET_DEFAULT, CUSTOM }
const COVER_NAMES := ["none", "textured", "generated", "plain", "text", "widget_themed", "widget_default", "custom"]

# The style that tells whether a widget looks like the engine's default.
const STYLES := {
	"Button": &"normal", "CheckBox": &"normal", "OptionButton": &"normal", "MenuButton": &"normal",
	"CheckButton": &"normal", "LinkButton": &"focus", "LineEdit": &"normal", "TextEdit": &"normal",
	"Panel": &"panel", "PanelContainer": &"panel", "ProgressBar": &"background", "ItemList": &"panel",
	"Tree": &"panel", "TabContainer": &"panel", "HSlider": &"slider", "VSlider": &"slider",
	"HScrollBar": &"scroll", "VScrollBar": &"scroll", "SpinBox": &"", "PopupMenu": &"panel",
}

var _classes := {}
var _kinds := {}                 # class → how it is drawn, looked up once
var _items: Array = []           # of [layer, z, order, cover, rect, node or null]
var _texts: Array[String] = []
var _written: Array = []         # the items behind _texts, in the same order
var _textures := {}
var _images := {}                # names of the files behind _textures
var _scripts := {}
var _default_font_texts := 0
var _widgets := 0
var _default_widgets := 0
var _three_d := 0


func look(tree: SceneTree) -> Dictionary:
	_classes = {}
	_items = []
	_texts = []
	_written = []
	_textures = {}
	_images = {}
	_scripts = {}
	_default_font_texts = 0
	_widgets = 0
	_default_widgets = 0
	_three_d = 0
	_walk(tree.root, 0, 0, 1.0)
	var grid := _cover(Vector2(tree.root.size), tree.root.get_final_transform())
	var scene := tree.current_scene
	var focus := tree.root.gui_get_focus_owner()
	return {
		"scene": scene.scene_file_path if scene and scene.scene_file_path else (str(scene.name) if scene else ""),
		"nodes": tree.get_node_count(),
		"classes": _classes,
		"cover": _shares(grid),
		"grid": "".join(Array(grid).map(str)),
		"textures": _textures.size(),
		"images": _names(_images),
		"scripts": _names(_scripts),
		"widgets": _widgets,
		"default_widgets": _default_widgets,
		"three_d": _three_d,
		"texts": _texts,
		"default_font_texts": _default_font_texts,
		"boxes": _boxes(Vector2(tree.root.size), tree.root.get_final_transform()),
		"focus": focus.get_class() if focus else "",
		"paused": tree.paused,
		"time_scale": Engine.time_scale,
	}


# What a player would see of the mouse pointer. `to_picture` leads from a point of the window to the pixel of the
# viewport that is shown there: stretched games have a picture of another size, or bars around it.
func pointer(window: Window) -> Dictionary:
	var shown := Input.mouse_mode in [Input.MOUSE_MODE_VISIBLE, Input.MOUSE_MODE_CONFINED]
	var drawn := window.get_stretch_transform() * window.global_canvas_transform
	var whole := window.get_final_transform()
	for part: float in [drawn.determinant(), whole.determinant()]:
		if part == 0 or not is_finite(part):    # a game may set any transform; to turn it round would be an error of ours
			return {"shown": shown}
	var back := (whole * drawn.affine_inverse()).affine_inverse()
	return {"shown": shown, "to_picture": [back.x.x, back.y.y, back.origin.x, back.origin.y]}


# One number for what the nodes of the game are doing, to tell two runs apart without drawing them.
func fingerprint(node: Node) -> int:
	var parts := [node.get_class(), node.get_child_count()]
	if node is Node2D:
		parts.append(node.transform)
		parts.append(node.visible)
		if node is Sprite2D or node is AnimatedSprite2D:
			parts.append(node.frame)
	elif node is Control:
		parts.append_array([node.position, node.size, node.visible, node.modulate])
		if &"text" in node:
			parts.append(node.text)
		if node is BaseButton:
			parts.append(node.get_draw_mode())
		elif node is Range:
			parts.append(node.value)
	elif node is Node3D:
		parts.append_array([node.transform, node.visible])
	for child in node.get_children():
		parts.append(fingerprint(child))
	return hash(parts)


# `alpha` is what the parents leave of a node's opacity; 0 where they are hidden.
func _walk(node: Node, layer: int, z: int, alpha: float) -> void:
	var type := node.get_class()
	_classes[type] = _classes.get(type, 0) + 1
	var script: Script = node.get_script()
	if script and script.resource_path.begins_with("res://"):
		_scripts[script.resource_path.get_file().get_basename()] = true
	if node is CanvasItem:
		var item := node as CanvasItem
		alpha *= item.modulate.a if item.visible else 0.0
		z = clampi(item.z_index + (z if item.z_as_relative else 0), -4096, 4096)
		if alpha * item.self_modulate.a > 0.02:
			_note(item, type, layer, z)
	elif node is CanvasLayer:
		layer = (node as CanvasLayer).layer
		alpha = 1.0 if (node as CanvasLayer).visible else 0.0
		z = 0
	elif node is VisualInstance3D:
		_three_d += 1
	for child in node.get_children():
		_walk(child, layer, z, alpha)


func _note(item: CanvasItem, type: String, layer: int, z: int) -> void:
	var cover := Cover.NONE
	if item is Label or item is RichTextLabel:
		var text: String = item.text if item is Label else item.get_parsed_text()
		_read(text, item)
		cover = Cover.TEXT if text != "" else Cover.NONE
	elif item is Control and STYLES.has(type):
		cover = _widget(item as Control, type)
	elif &"texture" in item:
		cover = _texture_cover(item.get(&"texture"))
		if cover == Cover.NONE and not item is Sprite2D and not item is TextureRect and not item is NinePatchRect:
			cover = Cover.PLAIN      # polygons, lines, meshes and particles without a texture
	elif item is TextureButton:
		cover = _texture_cover(item.texture_normal)
	elif item is TextureProgressBar:
		cover = _texture_cover(item.texture_progress)
	elif item is AnimatedSprite2D:
		var frames: SpriteFrames = item.sprite_frames
		if frames and frames.has_animation(item.animation) and frames.get_frame_count(item.animation) > 0:
			cover = _texture_cover(frames.get_frame_texture(item.animation, item.frame))
	elif item is TileMapLayer:
		cover = Cover.TEXTURED
	elif item is ColorRect:
		cover = Cover.GENERATED if item.material is ShaderMaterial else Cover.PLAIN
	if cover == Cover.NONE and item.get_script() != null and item.has_method(&"_draw"):
		cover = Cover.CUSTOM
	if cover != Cover.NONE:
		_items.append([layer, z, _items.size(), cover, item])


func _read(text: String, item: Control) -> void:
	if text != "" and _texts.size() < MAX_TEXTS:
		_texts.append(text.left(MAX_TEXT_LENGTH))
		_written.append(item)
		if _is_default_font(_font(item)):
			_default_font_texts += 1


func _font(item: Control) -> Font:
	if item is Label and item.label_settings and item.label_settings.font:
		return item.label_settings.font
	return item.get_theme_font(&"normal_font" if item is RichTextLabel else &"font")


func _is_default_font(font: Font) -> bool:
	return font == ThemeDB.fallback_font and str(ProjectSettings.get_setting("gui/theme/custom_font", "")) == ""


func _names(found: Dictionary) -> Array:
	var names := found.keys()
	names.sort()
	return names.slice(0, MAX_NAMES)


# Where each text stands on the screen: [x, y, width, height, height of its letters], or [] where it cannot be seen
# because it is off the screen or something opaque is drawn over it.
func _boxes(screen: Vector2, to_screen: Transform2D) -> Array:
	var order := {}              # item → its place in the drawing order
	var sheets: Array = []       # of [order, rect]: opaque things large enough to hide a text
	for index in _items.size():
		var item: CanvasItem = _items[index][4]
		order[item] = index
		if _is_opaque(_items[index][3], item):
			var rect := (to_screen * item.get_global_transform_with_canvas()) * _extent(item)
			if rect.get_area() > screen.x * screen.y * 0.01:
				sheets.append([index, rect])
	var boxes: Array = []
	for item: Control in _written:
		var transform := to_screen * item.get_global_transform_with_canvas()
		var box: Rect2 = transform * _text_rect(item)
		var hidden := not box.intersects(Rect2(Vector2.ZERO, screen))
		for sheet: Array in sheets:
			hidden = hidden or (sheet[0] > order.get(item, 0) and sheet[1].encloses(box))
		var letters: float = _font_size(item) * transform.get_scale().y
		boxes.append([] if hidden else [
			roundi(box.position.x), roundi(box.position.y), roundi(box.size.x), roundi(box.size.y), roundi(letters)])
	return boxes


func _is_opaque(cover: Cover, item: CanvasItem) -> bool:
	if cover == Cover.TEXT or cover == Cover.CUSTOM or item is TileMapLayer:
		return false
	var alpha: float = item.modulate.a * item.self_modulate.a
	if item is ColorRect:
		alpha *= item.color.a
	elif item is Control and STYLES.has(item.get_class()):
		var style: StringName = STYLES[item.get_class()]
		var box: StyleBox = item.get_theme_stylebox(style) if style != &"" else null
		alpha *= box.bg_color.a if box is StyleBoxFlat and box.draw_center else (0.0 if box is StyleBoxEmpty else 1.0)
	elif not item is Control:
		return false             # a sprite rarely fills its rectangle
	return alpha > 0.85


func _font_size(item: Control) -> int:
	var type_name := &"normal_font_size" if item is RichTextLabel else &"font_size"
	if item is Label and item.label_settings:
		return item.label_settings.font_size
	return item.get_theme_font_size(type_name)


# The rectangle that the letters take, which is often much smaller than the control.
func _text_rect(item: Control) -> Rect2:
	var whole := Rect2(Vector2.ZERO, item.size)
	if item is RichTextLabel:
		return Rect2(0, 0, minf(item.get_content_width(), item.size.x), minf(item.get_content_height(), item.size.y))
	var text: String = str(item.get(&"text"))
	var font := _font(item)
	var wrapped: bool = item is Label and item.autowrap_mode != TextServer.AUTOWRAP_OFF
	var size := font.get_multiline_string_size(
		text, HORIZONTAL_ALIGNMENT_LEFT, item.size.x if wrapped else -1.0, _font_size(item))
	if item is Label:
		size = size.min(item.size) if item.clip_text else size
		var free := item.size - size
		var x := [0.0, free.x / 2, free.x, 0.0][item.horizontal_alignment] as float
		var y := [0.0, free.y / 2, free.y, 0.0][item.vertical_alignment] as float
		return Rect2(Vector2(x, y), size)
	return Rect2((whole.size - size) / 2, size) if item is Button else whole


func _widget(control: Control, type: String) -> Cover:
	_widgets += 1
	if &"text" in control:
		_read(str(control.get(&"text")), control)
	var style: StringName = STYLES[type]
	if style != &"" and control.get_theme_stylebox(style) == ThemeDB.get_default_theme().get_stylebox(style, type):
		_default_widgets += 1
		return Cover.WIDGET_DEFAULT
	return Cover.WIDGET_THEMED


func _texture_cover(texture: Variant) -> Cover:
	if not texture is Texture2D:
		return Cover.NONE
	_textures[(texture as Texture2D).get_rid()] = true
	var source: Resource = texture.atlas if texture is AtlasTexture and texture.atlas else texture
	if source.resource_path != "" and not "::" in source.resource_path:
		_images[source.resource_path.get_file().get_basename()] = true
	if texture is GradientTexture1D or texture is GradientTexture2D or texture is NoiseTexture2D:
		return Cover.GENERATED
	return Cover.TEXTURED


# Of which kind the topmost drawing is, for each cell of a coarse grid, row by row.
func _cover(screen: Vector2, to_screen: Transform2D) -> PackedByteArray:
	var grid := PackedByteArray()
	grid.resize(COLUMNS * ROWS)
	_items.sort_custom(_below)
	var stride := ceili(_items.size() / float(MAX_ITEMS))
	for index in range(0, _items.size(), maxi(stride, 1)):
		_fill(grid, _items[index][3], _items[index][4], screen, to_screen)
	return grid


func _shares(grid: PackedByteArray) -> Dictionary:
	var shares := {}
	for value in grid:
		shares[COVER_NAMES[value]] = shares.get(COVER_NAMES[value], 0) + 1
	for cover_name: String in shares:
		shares[cover_name] = snappedf(shares[cover_name] / float(grid.size()), 0.0001)
	return shares


func _below(a: Array, b: Array) -> bool:
	if a[0] != b[0]: return a[0] < b[0]
	if a[1] != b[1]: return a[1] < b[1]
	return a[2] < b[2]


func _fill(grid: PackedByteArray, cover: Cover, item: CanvasItem, screen: Vector2, to_screen: Transform2D) -> void:
	var rect := _extent(item)
	if rect.size == Vector2.ZERO:
		return
	var transform := to_screen * item.get_global_transform_with_canvas()
	var seen := (transform * rect).intersection(Rect2(Vector2.ZERO, screen))
	if seen.size.x <= 0.0 or seen.size.y <= 0.0:
		return
	var cell := screen / Vector2(COLUMNS, ROWS)
	var tiles := item as TileMapLayer
	var inverse := transform.affine_inverse() if tiles else Transform2D.IDENTITY
	# Small things count in the cell that holds their centre, so that a field of bullets is not lost.
	var from := Vector2i((seen.position / cell).round())
	var to := Vector2i((seen.end / cell).round())
	if from.x == to.x: from.x = int(seen.get_center().x / cell.x); to.x = from.x + 1
	if from.y == to.y: from.y = int(seen.get_center().y / cell.y); to.y = from.y + 1
	for row in range(maxi(from.y, 0), mini(to.y, ROWS)):
		for column in range(maxi(from.x, 0), mini(to.x, COLUMNS)):
			if tiles:
				var centre := inverse * ((Vector2(column, row) + Vector2(0.5, 0.5)) * cell)
				if tiles.get_cell_source_id(tiles.local_to_map(centre)) == -1:
					continue
			grid[row * COLUMNS + column] = cover


func _extent(item: CanvasItem) -> Rect2:
	if item is Control:
		return Rect2(Vector2.ZERO, (item as Control).size)
	if item is TileMapLayer:
		var tiles := item as TileMapLayer
		if tiles.tile_set == null:
			return Rect2()
		var used := tiles.get_used_rect()
		return Rect2(used.position * tiles.tile_set.tile_size, used.size * tiles.tile_set.tile_size)
	if item is Sprite2D:
		return (item as Sprite2D).get_rect()
	if item is AnimatedSprite2D:
		var sprite := item as AnimatedSprite2D
		var size := sprite.sprite_frames.get_frame_texture(sprite.animation, sprite.frame).get_size()
		return Rect2(sprite.offset - (size / 2.0 if sprite.centered else Vector2.ZERO), size)
	if item is Polygon2D or item is Line2D:
		var points: PackedVector2Array = item.polygon if item is Polygon2D else item.points
		if points.is_empty():
			return Rect2()
		var box := Rect2(points[0], Vector2.ONE)
		for point in points:
			box = box.expand(point)
		return box
	if item is MultiMeshInstance2D or item is MeshInstance2D:
		var mesh: Variant = item.multimesh if item is MultiMeshInstance2D else item.mesh
		if mesh == null:
			return Rect2()
		var box3: AABB = mesh.get_aabb()
		return Rect2(box3.position.x, box3.position.y, box3.size.x, box3.size.y)
	return Rect2()
