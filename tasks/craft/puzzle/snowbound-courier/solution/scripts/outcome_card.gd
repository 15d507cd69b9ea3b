class_name OutcomeCard
extends Control
## The card that drops in when a pond is solved or a round has gone wrong.

signal chosen(action: StringName)

const FRAME := Rect2(190, 150, 560, 400)

var _panel: Panel
var _time: float = 0.0
var _stars: Array[Sprite2D] = []
var _earned: int = 0
var _popped: int = 0


static func solved(used: int, par: int, earned: int, has_next: bool, best: bool) -> OutcomeCard:
	var card := OutcomeCard.new()
	card._earned = earned
	card._frame("Delivered!", Art.PINE, Art.courier("jump"))
	var praise: Array[String] = ["Every parcel is home.", "Good round. A shorter way exists.", "Perfect route!"]
	card._line(praise[earned - 1], 24, 196.0, Art.INK)
	card._line("%d moves used, best known route %d%s" % [used, par, "   New best!" if best else ""], 20, 232.0, Art.SLATE)
	for i: int in 3:
		var hollow: Sprite2D = card._star(i, Color(0.32, 0.45, 0.9, 0.22))
		hollow.scale = Vector2.ONE * card._star_size(i)
		var star: Sprite2D = card._star(i, Color.WHITE)
		star.visible = false
		card._stars.append(star)
	if has_next:
		card._button("Next pond", Rect2(120, 272, 320, 60), Art.tile("signRight"), "ENTER", true, &"next")
	else:
		card._button("Finish", Rect2(120, 272, 320, 60), Art.item("flagGreen1"), "ENTER", true, &"next")
	card._button("Again", Rect2(40, 340, 230, 50), Art.tile("leverLeft"), "R", false, &"restart")
	card._button("Pond map", Rect2(284, 340, 240, 50), Art.tile("signExit"), "ESC", false, &"map")
	return card


static func failed(title: String, story: String, advice: String, pose: String) -> OutcomeCard:
	var card := OutcomeCard.new()
	card._frame(title, Art.ALERT, Art.courier(pose))
	card._line(story, 26, 76.0, Art.INK)
	card._line(advice, 21, 116.0, Art.SLATE)
	card._button("Undo last slide", Rect2(115, 176, 330, 62), Art.tile("signLeft"), "Z", true, &"undo")
	card._button("Try again", Rect2(115, 248, 330, 58), Art.tile("leverLeft"), "R", false, &"restart")
	card._button("Pond map", Rect2(115, 316, 330, 58), Art.tile("signExit"), "ESC", false, &"map")
	return card


func _init() -> void:
	# Clicks beside the card must not reach the ice.
	size = Vector2(940, 720)


func _ready() -> void:
	_panel.position.y = -460.0
	create_tween().tween_property(_panel, "position:y", FRAME.position.y, 0.45).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)


func _process(delta: float) -> void:
	_time += delta
	if _popped < _earned and _time > 0.5 + 0.28 * _popped:
		_pop_star(_popped)
		_popped += 1


func _pop_star(index: int) -> void:
	var star: Sprite2D = _stars[index]
	star.visible = true
	star.scale = Vector2.ONE * 3.0
	star.rotation = -0.8
	var tween: Tween = star.create_tween().set_parallel()
	tween.tween_property(star, "scale", Vector2.ONE * _star_size(index), 0.3).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	tween.tween_property(star, "rotation", (index - 1) * 0.16, 0.3)
	for kind: String in ["gemRed", "gemGreen", "gemYellow"] as Array[String]:
		Burst.at(_panel, star.position, Art.item(kind), 7, 44.0, Color.WHITE, 320.0, 380.0)


func _star(index: int, tint: Color) -> Sprite2D:
	var picture: AtlasTexture = Art.part(Art.item("star"), Rect2(30, 30, 68, 68))
	var star: Sprite2D = Art.sprite(picture, Vector2(280 + (index - 1) * 110, 126.0 if index == 1 else 138.0), 90.0, tint)
	star.rotation = (index - 1) * 0.16
	_panel.add_child(star)
	return star


func _star_size(index: int) -> float:
	return 1.6 if index == 1 else 1.3


func _frame(title: String, ribbon: Color, picture: Texture2D) -> void:
	_panel = UiKit.card(FRAME)
	add_child(_panel)
	var band: Panel = UiKit.panel(Rect2(60, -34, 440, 84), UiKit.box(ribbon, ribbon.darkened(0.3), 22, 4, 8))
	_panel.add_child(band)
	var words: Label = UiKit.place(UiKit.heading(title, 42, Color.WHITE), Rect2(70, 4, 360, 76))
	UiKit.outline(words, ribbon.darkened(0.4), 8)
	band.add_child(words)
	band.add_child(UiKit.icon(picture, Rect2(-26, -44, 96, 128)))


func _line(text: String, points: int, top: float, color: Color) -> void:
	_panel.add_child(UiKit.place(UiKit.label(text, points, color), Rect2(20, top, FRAME.size.x - 40.0, 32)))


func _button(text: String, rect: Rect2, picture: Texture2D, key: String, primary: bool, action: StringName) -> void:
	var node: Button = UiKit.button(text, rect, picture, key, primary)
	node.pressed.connect(func() -> void: chosen.emit(action))
	_panel.add_child(node)
