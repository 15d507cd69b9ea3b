extends Control
## Between floors: three gifts, one choice.

signal chosen(id: String)

var _ids: Array[String] = []
var _plates: Array[Button] = []
var _done: bool = false


func offer(ids: Array[String], floor_index: int) -> void:
	_ids.assign(ids)
	UiKit.tiled(self, UiKit.art("tiles/stoneCenter"), Rect2(0, 0, 1280, 720), Color(0.12, 0.08, 0.11, 0.88))
	UiKit.symbol(self, "king", Rect2(590, 36, 100, 68), UiKit.EMBER)
	UiKit.label(self, "Floor %s is yours" % Floors.ALL[floor_index]["numeral"], Rect2(240, 98, 800, 66), 50, UiKit.GOLD)
	UiKit.label(self, "Choose one boon to carry upward", Rect2(240, 162, 800, 36), 24, UiKit.CREAM, false)
	for i: int in _ids.size():
		_plates.append(_plate(_ids[i], i))
	UiKit.motes(self, UiKit.art("motes/treeBrown_small"), Color(1.0, 0.7, 0.3, 0.9), -70.0, 16)


func _plate(id: String, index: int) -> Button:
	var boon: Dictionary = Boons.ALL[id]
	var rect := Rect2(200 + index * 306, 246, 268, 412)
	var plate: Button = UiKit.button(self, "", rect, UiKit.PLUM)
	plate.add_theme_stylebox_override("normal", UiKit.wood(Color(0.62, 0.46, 0.46)))
	plate.add_theme_stylebox_override("hover", UiKit.wood(Color(0.95, 0.72, 0.55)))
	plate.add_theme_stylebox_override("pressed", UiKit.wood(Color(1.1, 0.8, 0.5)))
	plate.pressed.connect(_pick.bind(index))
	plate.mouse_entered.connect(_lift.bind(plate, true))
	plate.mouse_exited.connect(_lift.bind(plate, false))
	UiKit.panel(plate, Rect2(54, 34, 160, 150), UiKit.flat(Color(UiKit.NIGHT, 0.8), UiKit.GOLD.darkened(0.2), 4, 75))
	UiKit.picture(plate, load(boon["art"]), Rect2(70, 46, 128, 128))
	UiKit.label(plate, boon["name"], Rect2(16, 196, 236, 40), 26, UiKit.GOLD)
	UiKit.paragraph(plate, boon["text"], Rect2(28, 244, 212, 110), 20)
	UiKit.label(plate, "Press %d" % (index + 1), Rect2(28, 362, 212, 32), 19, UiKit.SAND, false)
	plate.position.y = 760.0
	var rise: Tween = create_tween()
	rise.tween_interval(index * 0.09)
	rise.tween_property(plate, "position:y", rect.position.y, 0.34).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	return plate


func _lift(plate: Button, on: bool) -> void:
	if not _done:
		create_tween().tween_property(plate, "scale", Vector2.ONE * (1.06 if on else 1.0), 0.12)


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventKey and event.is_pressed() and not event.is_echo():
		var index: int = (event as InputEventKey).keycode - KEY_1
		if index >= 0 and index < _ids.size():
			_pick(index)


func _pick(index: int) -> void:
	if _done:
		return
	_done = true
	var tween: Tween = create_tween().set_parallel()
	for i: int in _plates.size():
		if i == index:
			tween.tween_property(_plates[i], "scale", Vector2.ONE * 1.16, 0.25).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
			tween.tween_property(_plates[i], "modulate", Color(1.35, 1.2, 0.9), 0.25)
		else:
			tween.tween_property(_plates[i], "modulate", Color(0.3, 0.2, 0.25, 0.0), 0.25)
	tween.chain().tween_interval(0.25)
	tween.chain().tween_callback(chosen.emit.bind(_ids[index]))
