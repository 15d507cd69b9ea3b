class_name FinaleScreen
extends Node2D
## The end of the winter round: all ponds done, everyone has a parcel.

signal left(action: StringName)

var _time: float = 0.0
var _next_confetti: float = 0.3
var _count: int = 0
var _courier: Sprite2D
var _flags: Array[Sprite2D] = []


func setup(progress: Progress) -> void:
	var field := SnowField.new()
	add_child(field)
	field.build(2, [Rect2(250, 80, 780, 560)], 5)
	add_child(Art.sprite(Art.dot(), Vector2(640, 420), 760, Color(1.0, 0.8, 0.45, 0.35)))
	for i: int in 12:
		var angle: float = PI + PI * (i + 0.5) / 12.0
		var at: Vector2 = Vector2(640, 470) + Vector2.from_angle(angle) * Vector2(330, 190)
		var name: String = Art.FLAG_NAMES[i % 3]
		var flag: Sprite2D = Art.sprite(Art.item("flag%s1" % name), at + Vector2(10, -34), 62)
		flag.set_meta("color", name)
		add_child(flag)
		_flags.append(flag)
		add_child(Art.sprite(Art.tile("boxCrate_double"), at, 46))
		add_child(Art.sprite(Art.item("gem" + name), at, 46))
	_courier = Art.sprite(Art.courier("jump"), Vector2(640, 420), 130)
	add_child(_courier)
	add_child(UiKit.snowfall(60, Vector2(1280, 720)))
	var title: Label = UiKit.place(UiKit.heading("The round is done!", 78, Art.SNOW), Rect2(0, 66, 1280, 100))
	UiKit.outline(title, Art.NIGHT, 20)
	add_child(title)
	var card: Panel = UiKit.card(Rect2(330, 508, 620, 170))
	add_child(card)
	card.add_child(UiKit.place(UiKit.label("All twelve ponds delivered before the thaw.", 24), Rect2(20, 16, 580, 34)))
	card.add_child(Art.sprite(Art.item("star"), Vector2(258, 72), 84))
	card.add_child(UiKit.place(UiKit.heading("%d of %d" % [progress.total(), PondLibrary.PONDS.size() * 3], 32), Rect2(288, 50, 160, 44), HORIZONTAL_ALIGNMENT_LEFT))
	var map: Button = UiKit.button("Pond map", Rect2(38, 98, 260, 58), Art.tile("signExit"), "M")
	var title_button: Button = UiKit.button("Title", Rect2(322, 98, 260, 58), Art.tile("signLeft"), "ENTER", true)
	map.pressed.connect(func() -> void: left.emit(&"map"))
	title_button.pressed.connect(func() -> void: left.emit(&"title"))
	card.add_child(map)
	card.add_child(title_button)


func _process(delta: float) -> void:
	_time += delta
	_courier.position.y = 420.0 - absf(sin(_time * 5.0)) * 46.0
	for i: int in _flags.size():
		_flags[i].texture = Art.item("flag%s%d" % [_flags[i].get_meta("color"), 1 + int(_time * 3.0 + i) % 2])
	_next_confetti -= delta
	if _next_confetti <= 0.0:
		_next_confetti = 0.45
		_count += 1
		var at := Vector2(200.0 + 880.0 * Art.scatter(_count, 3), 180.0 + 160.0 * Art.scatter(3, _count))
		for kind: String in ["gemRed", "gemGreen", "gemYellow", "star"] as Array[String]:
			Burst.at(self, at, Art.item(kind), 6, 52.0, Color.WHITE, 260.0, 260.0)


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventKey and event.is_pressed() and not event.is_echo():
		match (event as InputEventKey).keycode:
			KEY_ENTER, KEY_SPACE, KEY_ESCAPE:
				left.emit(&"title")
			KEY_M:
				left.emit(&"map")
