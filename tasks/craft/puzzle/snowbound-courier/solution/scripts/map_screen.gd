class_name MapScreen
extends Node2D
## The round on paper: twelve ponds along a sledge trail, with stars, locks and a card for the chosen one.

signal left(action: StringName)
signal pond_chosen(pond: int)

const SPOTS: Array[Vector2] = [
	Vector2(130, 470), Vector2(252, 372), Vector2(150, 262), Vector2(310, 196),
	Vector2(480, 286), Vector2(560, 414), Vector2(680, 478), Vector2(790, 380),
	Vector2(740, 240), Vector2(910, 190), Vector2(1050, 300), Vector2(1140, 440),
]
const REGION_SPOTS: Array[Vector2] = [Vector2(214, 118), Vector2(640, 118), Vector2(1066, 118)]
const CARD := Rect2(170, 566, 940, 130)

var _progress: Progress
var _selected: int = 0
var _time: float = 0.0
var _plates: Array[Control] = []
var _marker: Node2D
var _card: Panel


func setup(progress: Progress, selected: int) -> void:
	_progress = progress
	_selected = selected
	_build_country()
	_build_trail()
	for i: int in SPOTS.size():
		_build_plate(i)
	_marker = Node2D.new()
	_marker.add_child(Art.sprite(Art.courier("idle"), Vector2.ZERO, 64))
	_marker.position = _marker_spot()
	add_child(_marker)
	add_child(UiKit.snowfall(50, Vector2(1280, 720)))
	_build_banner()
	_show_card()


func _process(delta: float) -> void:
	_time += delta
	_marker.position = _marker.position.lerp(_marker_spot(), 1.0 - exp(-9.0 * delta))
	_marker.get_child(0).position.y = -absf(sin(_time * 4.0)) * 8.0
	for i: int in _plates.size():
		var target: float = 1.12 if i == _selected else 1.0
		_plates[i].scale = _plates[i].scale.lerp(Vector2.ONE * target, 0.25)


func _unhandled_input(event: InputEvent) -> void:
	if not (event is InputEventKey and event.is_pressed()):
		return
	match (event as InputEventKey).keycode:
		KEY_LEFT, KEY_DOWN, KEY_A, KEY_S:
			_select(_selected - 1)
		KEY_RIGHT, KEY_UP, KEY_D, KEY_W:
			_select(_selected + 1)
		KEY_ENTER, KEY_SPACE:
			_go()
		KEY_ESCAPE:
			left.emit(&"title")


func _select(pond: int) -> void:
	pond = clampi(pond, 0, SPOTS.size() - 1)
	if pond == _selected:
		return
	_selected = pond
	_show_card()


func _go() -> void:
	if _progress.is_open(_selected):
		pond_chosen.emit(_selected)
	else:
		# A locked plate shakes its head.
		var plate: Control = _plates[_selected]
		var tween: Tween = plate.create_tween()
		for turn: float in [0.12, -0.12, 0.06, 0.0]:
			tween.tween_property(plate, "rotation", turn, 0.07)


func _marker_spot() -> Vector2:
	return SPOTS[_selected] + Vector2(0, -66)


func _build_country() -> void:
	add_child(Art.snow_ground(Rect2(0, 0, 1280, 720), Color.WHITE))
	# The light goes from morning over afternoon to dusk.
	var light := Gradient.new()
	light.offsets = PackedFloat32Array([0.0, 0.3, 0.56, 1.0])
	light.colors = PackedColorArray([Color(0.75, 0.9, 1.0, 0.45), Color(0.85, 0.92, 1.0, 0.4), Color(1.0, 0.78, 0.62, 0.5), Color(0.42, 0.48, 0.8, 0.72)])
	var texture := GradientTexture2D.new()
	texture.gradient = light
	texture.width = 256
	texture.height = 8
	var veil := Sprite2D.new()
	veil.texture = texture
	veil.centered = false
	veil.scale = Vector2(5, 90)
	add_child(veil)
	var grown := Node2D.new()
	grown.y_sort_enabled = true
	add_child(grown)
	for row: int in 9:
		for column: int in 18:
			var at := Vector2(column * 74.0 + 40.0 * Art.scatter(row, column), 96.0 + row * 76.0 + 34.0 * Art.scatter(column, row))
			if not _is_free(at):
				continue
			var pick: float = Art.scatter(column * 13, row * 29)
			var node: Node2D = null
			if pick < 0.4:
				node = Art.pine(at, 46.0 + 26.0 * Art.scatter(row + 1, column))
			elif pick < 0.5:
				node = Art.boulder(at, 44.0, row + column)
			elif pick < 0.75:
				node = Art.sprite(Art.drift(), at, 70.0, Color(0.8, 0.88, 0.97, 0.8))
			if node != null:
				if at.x > 860.0:
					node.modulate = Color(0.82, 0.85, 1.0)
				grown.add_child(node)


func _is_free(at: Vector2) -> bool:
	for i: int in SPOTS.size():
		if at.distance_to(SPOTS[i]) < 92.0:
			return false
		if i > 0 and Geometry2D.get_closest_point_to_segment(at, SPOTS[i - 1], SPOTS[i]).distance_to(at) < 52.0:
			return false
	for spot: Vector2 in REGION_SPOTS:
		if Rect2(spot - Vector2(170, 34), Vector2(340, 68)).grow(24.0).has_point(at):
			return false
	return at.y > 120.0 or at.x > 1160.0


## Sledge tracks from pond to pond; dark once travelled.
func _build_trail() -> void:
	var track: Texture2D = Art.scenery("tracksSmall")
	for i: int in range(1, SPOTS.size()):
		var from: Vector2 = SPOTS[i - 1]
		var to: Vector2 = SPOTS[i]
		var count: int = int(from.distance_to(to) / 34.0)
		var open: bool = _progress.is_open(i)
		for k: int in range(1, count):
			var mark: Sprite2D = Art.sprite(track, from.lerp(to, float(k) / count), 32, Color(0.6, 1.6, 3.4, 1.0) if open else Color(1.0, 1.8, 3.0, 0.5))
			mark.rotation = (to - from).angle() + PI / 2.0
			add_child(mark)


func _build_plate(pond: int) -> void:
	var plate := Button.new()
	plate.position = SPOTS[pond] - Vector2(40, 40)
	plate.size = Vector2(80, 80)
	plate.pivot_offset = Vector2(40, 40)
	plate.focus_mode = Control.FOCUS_NONE
	for look: String in ["normal", "hover", "pressed", "disabled"] as Array[String]:
		plate.add_theme_stylebox_override(look, StyleBoxEmpty.new())
	var open: bool = _progress.is_open(pond)
	var shadow: Sprite2D = Art.sprite(Art.dot(), Vector2(42, 52), 112, Color(0.08, 0.18, 0.38, 0.45))
	plate.add_child(shadow)
	var tints: Array[Color] = [Color(0.75, 1.05, 1.3), Color(1.28, 1.0, 0.78), Color(0.86, 0.82, 1.38)]
	plate.add_child(Art.sprite(Art.tile("snowCenter_rounded"), Vector2(40, 40), 78, tints[PondLibrary.PONDS[pond]["region"]] if open else Color(0.72, 0.78, 0.88)))
	var snow: Sprite2D = Art.sprite(Art.drift(), Vector2(40, 6), 76)
	plate.add_child(snow)
	if open:
		var number: Label = UiKit.place(UiKit.heading(str(pond + 1), 36, Color.WHITE), Rect2(0, 8, 80, 48))
		UiKit.outline(number, Art.INK, 10)
		number.mouse_filter = Control.MOUSE_FILTER_IGNORE
		plate.add_child(number)
		var stars: Node2D = UiKit.star_row(_progress.stars[pond], 24.0)
		stars.position = Vector2(40, 66)
		plate.add_child(stars)
	else:
		plate.add_child(Art.sprite(Art.tile("lockYellow"), Vector2(40, 44), 40, Color(0.9, 0.92, 1.0)))
	plate.pressed.connect(_on_plate.bind(pond))
	add_child(plate)
	_plates.append(plate)


func _on_plate(pond: int) -> void:
	if pond == _selected:
		_go()
	else:
		_select(pond)


func _build_banner() -> void:
	var band: Panel = UiKit.panel(Rect2(0, -20, 1280, 96), UiKit.box(Art.NIGHT, Art.INK, 0, 4, 10))
	add_child(band)
	for k: int in 11:
		var snow: Sprite2D = Art.sprite(Art.drift(), Vector2(k * 128.0, 70), 136)
		snow.flip_h = k % 2 == 0
		add_child(snow)
	add_child(UiKit.place(UiKit.heading("The Winter Round", 38, Art.SNOW), Rect2(340, 4, 600, 54)))
	var back: Button = UiKit.button("Title", Rect2(18, 6, 206, 50), Art.tile("signLeft"), "ESC")
	back.pressed.connect(func() -> void: left.emit(&"title"))
	add_child(back)
	add_child(Art.sprite(Art.item("star"), Vector2(1110, 30), 92))
	add_child(UiKit.place(UiKit.heading("%d / %d" % [_progress.total(), PondLibrary.PONDS.size() * 3], 30, Art.SNOW), Rect2(1136, 8, 130, 46), HORIZONTAL_ALIGNMENT_LEFT))
	for i: int in 3:
		var sign: Panel = UiKit.panel(Rect2(REGION_SPOTS[i] - Vector2(150, 24), Vector2(300, 46)), UiKit.box(Color("8d5a2e"), Color("5f3a1b"), 14, 3, 6))
		sign.add_child(UiKit.place(UiKit.heading(PondLibrary.REGIONS[i]["name"], 24, Color("fff1d8")), Rect2(0, 0, 300, 46)))
		add_child(sign)


func _show_card() -> void:
	if _card != null:
		_card.queue_free()
	var pond: Dictionary = PondLibrary.PONDS[_selected]
	var open: bool = _progress.is_open(_selected)
	_card = UiKit.card(CARD)
	add_child(_card)
	var frame: Panel = UiKit.panel(Rect2(18, 20, 92, 92), UiKit.box(Art.NIGHT, Art.INK, 18, 3, 0))
	frame.add_child(UiKit.icon(PondLibrary.icon(pond) if open else Art.tile("lockYellow"), Rect2(14, 14, 64, 64)))
	_card.add_child(frame)
	_card.add_child(UiKit.place(UiKit.heading("%d.  %s" % [_selected + 1, pond["name"]], 30), Rect2(128, 18, 380, 40), HORIZONTAL_ALIGNMENT_LEFT))
	var words: String = pond["blurb"] if open else "Finish the pond before this one first."
	_card.add_child(UiKit.place(UiKit.label(words, 20, Art.SLATE), Rect2(128, 62, 400, 44), HORIZONTAL_ALIGNMENT_LEFT))
	if not open:
		return
	var stars: Node2D = UiKit.star_row(_progress.stars[_selected], 36.0)
	stars.position = Vector2(596, 44)
	_card.add_child(stars)
	var best: int = _progress.best[_selected]
	_card.add_child(UiKit.place(UiKit.label("Best %d of %d" % [best, pond["budget"]] if best > 0 else "%d moves" % pond["budget"], 20), Rect2(516, 72, 160, 32)))
	var go: Button = UiKit.button("Play", Rect2(706, 34, 214, 64), Art.tile("boxCrate_double"), "ENTER", true)
	go.pressed.connect(_go)
	_card.add_child(go)
