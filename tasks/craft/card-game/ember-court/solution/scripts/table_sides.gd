class_name TableSides
extends Node2D
## Left and right of the cards: the pile still to come, the discard, and the king who waits.

const PILE_AT := Vector2(116, 188)
const DISCARD_AT := Vector2(116, 366)
const OMEN_AT := Vector2(1162, 188)
const SCALE := 0.7
const CARD_VIEW: PackedScene = preload("res://scenes/card_view.tscn")

var _stack: Array[Sprite2D] = []
var _pile_text: Label
var _discard_top: CardView = null
var _discard_text: Label
var _omen: CardView = null
var _back: String = ""
var _omen_name: Label
var _vigour: Label
var _attack: Label
var _stragglers: Label


func _ready() -> void:
	_slot(PILE_AT)
	for i: int in 4:
		_stack.append(_pile_card(PILE_AT + Vector2(-i * 3, -i * 4)))
	_slot(DISCARD_AT)
	UiKit.symbol(self, "hearts", Rect2(DISCARD_AT - Vector2(20, 20), Vector2(40, 40)), Color(0.45, 0.36, 0.38))
	_pile_text = UiKit.label(self, "", Rect2(46, 260, 140, 28), 20)
	_discard_text = UiKit.label(self, "", Rect2(46, 436, 140, 28), 20)
	_slot(OMEN_AT)
	_omen_name = UiKit.label(self, "", Rect2(1082, 258, 160, 30), 20, UiKit.GOLD)
	UiKit.panel(self, Rect2(1088, 294, 148, 152), UiKit.flat(Color(UiKit.NIGHT, 0.78), Color("8a6038"), 3, 12))
	UiKit.symbol(self, "hearts", Rect2(1100, 302, 34, 34), UiKit.BLOOD)
	_vigour = UiKit.label(self, "", Rect2(1138, 302, 92, 34), 22, UiKit.CREAM, true, HORIZONTAL_ALIGNMENT_LEFT)
	UiKit.symbol(self, "spades", Rect2(1100, 348, 34, 34), UiKit.STEEL)
	_attack = UiKit.label(self, "", Rect2(1138, 348, 92, 34), 22, UiKit.CREAM, true, HORIZONTAL_ALIGNMENT_LEFT)
	UiKit.picture(self, UiKit.art("creatures/slimePurple"), Rect2(1098, 382, 40, 40))
	_stragglers = UiKit.label(self, "", Rect2(1138, 396, 92, 34), 22, UiKit.CREAM, true, HORIZONTAL_ALIGNMENT_LEFT)


func _pile_card(at: Vector2) -> Sprite2D:
	var sprite := Sprite2D.new()
	sprite.position = at
	sprite.scale = Vector2.ONE * SCALE
	add_child(sprite)
	return sprite


func _slot(at: Vector2) -> void:
	var size: Vector2 = CardView.SIZE * SCALE
	UiKit.panel(self, Rect2(at - size / 2.0, size), UiKit.flat(Color(UiKit.NIGHT, 0.55), Color(1, 1, 1, 0.22), 2, 10))


func dress(run: CourtRun) -> void:
	var back: String = run.floor_data()["back"]
	for sprite: Sprite2D in _stack:
		sprite.texture = UiKit.art("cards/" + back)
	if _omen != null:
		_omen.queue_free()
	_back = back
	_omen = _small_card(run.boss_card_of_floor(), OMEN_AT)


func _small_card(card: CourtCard, at: Vector2) -> CardView:
	var view: CardView = CARD_VIEW.instantiate()
	add_child(view)
	view.setup(card, _back)
	view.settle(at, SCALE)
	view.show_text(false, false)
	return view


func refresh(run: CourtRun) -> void:
	show_pile(run.pile.size())
	show_discard(run.discard)
	_omen.visible = not run.in_boss_chamber()
	_omen_name.text = run.boss_card_of_floor().title()
	var full: int = run.full_vigour if run.in_boss_chamber() else run.full_boss_vigour()
	_vigour.text = "%d" % full
	_attack.text = "%d" % (run.boss_attack if run.in_boss_chamber() else int(run.floor_data()["attack"]))
	_stragglers.text = "%d" % run.stragglers


func show_pile(count: int) -> void:
	_pile_text.text = "Pile  %d" % count
	for i: int in _stack.size():
		_stack[i].visible = count > i * 4


func show_discard(cards: Array[CourtCard]) -> void:
	_discard_text.text = "Discard  %d" % cards.size()
	var top: CourtCard = null if cards.is_empty() else cards.back()
	if _discard_top != null and _discard_top.card != top:
		_discard_top.queue_free()
		_discard_top = null
	if top != null and _discard_top == null:
		_discard_top = _small_card(top, DISCARD_AT)
		_discard_top.show_bystander(false)


## Stragglers arriving at the king's side make his numbers jump.
func show_vigour(amount: int, stragglers: int) -> void:
	_vigour.text = str(amount)
	_stragglers.text = str(stragglers)


func omen_view() -> CardView:
	return _omen


func over_omen(point: Vector2) -> bool:
	return _omen != null and _omen.visible and _omen.holds(point)
