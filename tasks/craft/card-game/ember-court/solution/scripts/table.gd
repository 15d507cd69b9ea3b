extends Node2D
## One climb, seen from the player's chair: takes the mouse and the keys, asks the rules what
## happens, and shows it step by step. While something is being shown, input waits.

signal ended(run: CourtRun)
signal left

const CARD_VIEW: PackedScene = preload("res://scenes/card_view.tscn")
const BOON_SCREEN: PackedScene = preload("res://scenes/boon_screen.tscn")
const RULES: PackedScene = preload("res://scenes/how_to_play.tscn")

const SLOT_Y := 276.0
const SLOT_X: Array[float] = [308.0, 474.0, 640.0, 806.0, 972.0]
const BOSS_SLOT_X: Array[float] = [294.0, 460.0, 640.0, 820.0, 986.0]
const BOSS_SCALE := 1.12
const BOSS_Y := 294.0
const DRAG_FROM := 14.0
## Above every number and notice that may still be in the air.
const OVERLAY_Z := 50

var run: CourtRun

var _views: Dictionary[CourtCard, CardView] = {}
var _stance: CourtRun.Stance = CourtRun.Stance.STRIKE
var _busy: bool = false
var _leaving: bool = false
var _hovered: CardView = null
var _pressed: CardView = null
var _press_at := Vector2.ZERO
var _pointer := Vector2.ZERO
var _dragging: bool = false
var _overlay: Control = null

var _shaker := Node2D.new()
var _felt := TableFelt.new()
var _sides := TableSides.new()
var _tray := HeroTray.new()
var _bar := TopBar.new()
var _cards := Node2D.new()
var _fx := TableFx.new()
var _ribbon: Panel
var _ribbon_text: Label
var _boss_plate := Node2D.new()
var _boss_name: Label
var _boss_fill: Panel
var _boss_text: Label
var _hint_left: float = 0.0
var _last_boss: CourtCard = null
var _places: Array[Panel] = []


func _ready() -> void:
	add_child(_shaker)
	for part: Node2D in [_felt, _sides, _tray, _bar]:
		_shaker.add_child(part)
	_build_ribbon()
	_build_places()
	_shaker.add_child(_cards)
	_build_boss_plate()
	_shaker.add_child(_fx)
	_fx.shakes(_shaker)
	_tray.stance_chosen.connect(_choose_stance)
	_tray.press_on_asked.connect(_press_on)
	_tray.slip_asked.connect(_slip)
	_bar.help_asked.connect(_open_rules)
	_bar.leave_asked.connect(_leave)


func _build_ribbon() -> void:
	_ribbon = UiKit.panel(_shaker, Rect2(250, 418, 780, 50), UiKit.flat(Color(UiKit.NIGHT, 0.86), Color("8a6038"), 3, 14))
	_ribbon_text = UiKit.label(_ribbon, "", Rect2(10, 1, 760, 46), 20, UiKit.CREAM, false)


## Faint outlines on the cloth, so that a taken card leaves a place and not a hole.
func _build_places() -> void:
	for i: int in CourtRun.SLOTS:
		var style: StyleBoxFlat = UiKit.flat(Color(0, 0, 0, 0.16), Color(1, 1, 1, 0.16), 3, 14)
		style.shadow_size = 0
		var place: Panel = UiKit.panel(_shaker, Rect2(Vector2.ZERO, CardView.SIZE), style)
		place.pivot_offset = CardView.SIZE / 2.0
		_places.append(place)


func _lay_places() -> void:
	for i: int in CourtRun.SLOTS:
		_places[i].position = _slot_at(i) - CardView.SIZE / 2.0
		_places[i].scale = Vector2.ONE * _slot_scale(i)


func _build_boss_plate() -> void:
	_shaker.add_child(_boss_plate)
	_boss_name = UiKit.label(_boss_plate, "", Rect2(440, 92, 400, 34), 26, UiKit.GOLD)
	UiKit.panel(_boss_plate, Rect2(506, 126, 268, 30), UiKit.flat(UiKit.NIGHT, Color("8a6038"), 3, 12))
	var style: StyleBoxFlat = UiKit.flat(UiKit.EMBER, UiKit.GOLD, 0, 8)
	style.border_width_top = 4
	style.shadow_size = 0
	_boss_fill = UiKit.panel(_boss_plate, Rect2(510, 130, 260, 22), style)
	_boss_text = UiKit.label(_boss_plate, "", Rect2(506, 125, 268, 30), 20)
	_boss_plate.visible = false


## A new climb, from the first card.
func begin(new_run: CourtRun) -> void:
	run = new_run
	_show(run.begin_floor(0))


## A climb that is already under way: everything lies on the table at once.
func resume(new_run: CourtRun) -> void:
	run = new_run
	_lay_places()
	_felt.dress(run.floor_data())
	_sides.dress(run)
	for slot: int in CourtRun.SLOTS:
		if run.table[slot] != null:
			_new_view(run.table[slot]).settle(_slot_at(slot), _slot_scale(slot))
	if run.in_boss_chamber():
		_crown_view(_views[run.boss])
	if run.blade != null:
		_put_blade(_new_view(run.blade))
	for i: int in run.satchel.size():
		var view: CardView = _new_view(run.satchel[i])
		view.settle(HeroTray.POCKETS[i], HeroTray.POCKET_SCALE)
		view.show_text(false, true)
	_refresh()


# --- input ---------------------------------------------------------------------------------------

## A card in the hand follows the pointer even across the buttons of the tray.
func _input(event: InputEvent) -> void:
	if not _dragging:
		return
	if event is InputEventMouseMotion:
		_pointer_moved((event as InputEventMouseMotion).position)
		get_viewport().set_input_as_handled()
	elif event is InputEventMouseButton and (event as InputEventMouseButton).button_index == MOUSE_BUTTON_LEFT:
		_pointer_button(event as InputEventMouseButton)
		get_viewport().set_input_as_handled()


func _unhandled_input(event: InputEvent) -> void:
	if _overlay != null or run == null:
		return
	if event is InputEventMouseMotion:
		_pointer_moved((event as InputEventMouseMotion).position)
	elif event is InputEventMouseButton:
		_pointer_button(event as InputEventMouseButton)
	elif event is InputEventKey and event.is_pressed() and not event.is_echo():
		_key((event as InputEventKey).keycode)


func _pointer_moved(at: Vector2) -> void:
	_pointer = at
	if _busy:
		return
	if _pressed != null:
		if not _dragging and at.distance_to(_press_at) > DRAG_FROM:
			_dragging = true
			_pressed.z_index = 10
			_tray.mark_drops(_drops_for(_pressed.card))
		if _dragging:
			_pressed.position = at
			_aim_at_foe(at)
			return
	_hover(_view_at(at))
	if _hovered != null:
		return
	var boon: int = _tray.boon_at(at)
	if _sides.over_omen(at):
		_say("%s waits at the end of this floor." % run.boss_card_of_floor().title(), UiKit.GOLD)
	elif boon >= 0 and boon < run.boons.size():
		_say("%s: %s" % [Boons.ALL[run.boons[boon]]["name"], Boons.ALL[run.boons[boon]]["text"]], UiKit.GOLD)


func _pointer_button(event: InputEventMouseButton) -> void:
	var at: Vector2 = event.position
	if event.button_index == MOUSE_BUTTON_RIGHT and event.pressed:
		var view: CardView = _view_at(at)
		if view != null:
			_stash(view.card)
	elif event.button_index == MOUSE_BUTTON_LEFT:
		if event.pressed:
			if _busy:
				return
			_pressed = _view_at(at)
			_press_at = at
			_hover(_pressed)
		elif _pressed != null:
			var view: CardView = _pressed
			var dragged: bool = _dragging
			_pressed = null
			_dragging = false
			_tray.mark_drops([])
			if _busy:
				return
			if dragged:
				_dropped(view, at)
			else:
				_play(view.card)


func _key(code: Key) -> void:
	match code:
		KEY_1, KEY_2, KEY_3, KEY_4, KEY_5:
			var card: CourtCard = run.table[code - KEY_1]
			if card != null:
				_play(card)
		KEY_LEFT:
			_step_focus(-1)
		KEY_RIGHT:
			_step_focus(1)
		KEY_UP:
			if _hovered != null:
				_play(_hovered.card)
		KEY_R, KEY_DOWN:
			if _hovered != null:
				_stash(_hovered.card)
		KEY_X:
			if not run.satchel.is_empty():
				_play(run.satchel[0])
		KEY_S:
			_choose_stance(CourtRun.Stance.STRIKE)
		KEY_F:
			_choose_stance(CourtRun.Stance.FLING)
		KEY_B:
			_choose_stance(CourtRun.Stance.BARE)
		KEY_ENTER:
			_press_on()
		KEY_SPACE:
			_slip()
		KEY_H:
			_open_rules()
		KEY_ESCAPE:
			_leave()


func _step_focus(step: int) -> void:
	var here: Array[CourtCard] = run.cards_here()
	if here.is_empty():
		return
	var index: int = here.find(_hovered.card) if _hovered != null else (-1 if step > 0 else 0)
	_hover(_views[here[posmod(index + step, here.size())]])


func _view_at(at: Vector2) -> CardView:
	for card: CourtCard in _views:
		if _views[card].holds(at):
			return _views[card]
	return null


func _drops_for(card: CourtCard) -> Array[String]:
	var drops: Array[String] = []
	if card.is_red() and run.table.has(card):
		if run.can_stash(card):
			drops.append("pocket" if run.satchel.size() == 1 else "satchel")
		if card.kind() == CourtCard.Kind.BLADE:
			drops.append("blade")
	return drops


## A blade in the hand, dragged over an adversary, is about to be thrown.
func _aim_at_foe(at: Vector2) -> void:
	for card: CourtCard in run.cards_here():
		_views[card].set_glow(_pressed.card == run.blade and card.is_foe() and _views[card].holds(at))


func _dropped(view: CardView, at: Vector2) -> void:
	view.z_index = 0
	for card: CourtCard in run.cards_here():
		if view.card == run.blade and card.is_foe() and _views[card].holds(at):
			_stance = CourtRun.Stance.FLING
			_play(card)
			return
	match _tray.drop_at(at):
		"satchel", "pocket":
			if run.table.has(view.card):
				_stash(view.card)
		"blade":
			if view.card.kind() == CourtCard.Kind.BLADE or (view.card.is_foe() and run.table.has(view.card)):
				_play(view.card)
		"hero":
			if view.card != run.blade:
				_play(view.card)
	if not _busy:
		view.go_home()


# --- what the player may do ----------------------------------------------------------------------

func _play(card: CourtCard) -> void:
	if _busy:
		return
	if card == run.blade:
		_choose_stance(CourtRun.Stance.FLING if _stance != CourtRun.Stance.FLING else CourtRun.Stance.STRIKE)
		return
	_hover(null)
	_show(run.play(card, _stance))


func _stash(card: CourtCard) -> void:
	if _busy:
		return
	if run.can_stash(card):
		_hover(null)
		_show(run.stash(card))
	elif run.table.has(card):
		_refuse("Only red cards fit in the satchel." if card.is_foe() else "Your satchel is full.")


func _press_on() -> void:
	if _busy or _overlay != null:
		return
	if not run.can_press_on():
		_refuse(run.press_refusal())
		return
	_hover(null)
	_say("")
	_show(run.press_on())


func _slip() -> void:
	if _busy or _overlay != null:
		return
	if not run.can_slip():
		_refuse(run.slip_refusal())
		return
	_hover(null)
	_say("")
	_show(run.slip())


func _choose_stance(stance: CourtRun.Stance) -> void:
	if _busy or _overlay != null:
		return
	_stance = stance
	if stance != CourtRun.Stance.BARE and run.blade == null:
		_refuse("You hold no blade.")
	_refresh()


## Leaving waits for what is being shown, so that nothing is torn away half told.
func _leave() -> void:
	if _overlay != null:
		return
	_leaving = true
	if not _busy:
		left.emit()


func _open_rules() -> void:
	if _busy or _overlay != null:
		return
	_overlay = RULES.instantiate()
	_overlay.z_index = OVERLAY_Z
	add_child(_overlay)
	_overlay.connect("closed", _close_overlay)


func _close_overlay() -> void:
	_overlay.queue_free()
	_overlay = null


func _refuse(why: String) -> void:
	_say(why, UiKit.GOLD)
	_hint_left = 1.6
	var tween: Tween = create_tween()
	tween.tween_property(_ribbon, "position:x", 260.0, 0.05)
	tween.tween_property(_ribbon, "position:x", 242.0, 0.07)
	tween.tween_property(_ribbon, "position:x", 250.0, 0.06)


# --- words and hints -----------------------------------------------------------------------------

func _process(delta: float) -> void:
	_hint_left -= delta
	if run != null and run.in_boss_chamber():
		var share: float = float(run.vigour) / maxf(run.full_vigour, 1.0)
		_boss_fill.size.x = lerpf(_boss_fill.size.x, maxf(260.0 * share, 1.0), minf(delta * 8.0, 1.0))


func _say(text: String, colour: Color = UiKit.CREAM) -> void:
	_ribbon_text.text = text
	_ribbon_text.add_theme_color_override("font_color", colour)


func _hover(view: CardView) -> void:
	if _hovered != view:
		if is_instance_valid(_hovered):
			_hovered.set_lifted(false)
		_hovered = view
		if view != null and not _busy:
			view.set_lifted(true)
	_describe()


func _describe() -> void:
	_tray.show_threat(0)
	if _hint_left > 0.0 or _busy:
		return
	if _hovered == null or not is_instance_valid(_hovered):
		_say(_idle_words())
		return
	var card: CourtCard = _hovered.card
	if card == run.blade:
		_say("%s: edge %d now, worth %d when flung away." % [card.title(), run.edge, run.blade_worth(CourtRun.Stance.FLING)])
	elif card == run.boss:
		_tray.show_threat(run.forecast(card, _stance))
		_say("%s  Blow %d, answer %d." % [card.effect(), run.blow_on_boss(_stance), run.forecast(card, _stance)])
	elif card.is_foe():
		var cost: int = run.forecast(card, _stance)
		_tray.show_threat(cost)
		var price: String = "%s: %s" % [["Strike", "Fling", "Fists"][run.usable(_stance)],
			"no harm." if cost == 0 else "costs %d health." % cost]
		_say("%s  %s" % [card.effect(), price])
	else:
		_say(card.effect())


func _idle_words() -> String:
	if run.in_boss_chamber():
		return "Strike down the king. Red cards are free; every blow is answered."
	if run.can_press_on():
		return "The way is open. Press on, or take what is left."
	return "Take %d of the cards in any order." % (CourtRun.MUST_TAKE - run.taken)


func _refresh() -> void:
	_bar.refresh(run)
	_sides.refresh(run)
	_tray.refresh(run, _stance)
	_boss_plate.visible = run.in_boss_chamber()
	if run.in_boss_chamber():
		_boss_name.text = run.boss.title()
		_boss_text.text = "%d / %d" % [run.vigour, run.full_vigour]
	for i: int in run.satchel.size():
		if _views[run.satchel[i]].home != HeroTray.POCKETS[i]:
			_views[run.satchel[i]].glide(HeroTray.POCKETS[i], HeroTray.POCKET_SCALE, 0.2)
	for card: CourtCard in _views:
		var view: CardView = _views[card]
		if card == run.blade:
			view.show_worth(run.edge, card.value())
		elif card.is_foe():
			view.show_worth(run.strength_of(card), run.boss_attack if card == run.boss else card.value())
		elif card.kind() == CourtCard.Kind.HEART:
			view.show_worth(run.heal_of(card), card.value())
	_describe()


# --- showing what happened -----------------------------------------------------------------------

func _show(events: Array[Dictionary]) -> void:
	_busy = true
	_hint_left = 0.0
	for event: Dictionary in events:
		var teller: String = "_show_%s" % event["what"]
		if has_method(teller):
			await call(teller, event)
		if not is_inside_tree():
			return
	_busy = false
	if _leaving and run.outcome == "":
		left.emit()
	elif run.outcome == "" and _overlay == null:
		_refresh()
		_hover(_view_at(_pointer))


func _pause(seconds: float) -> Signal:
	return get_tree().create_timer(seconds).timeout


func _slot_at(slot: int) -> Vector2:
	if run.in_boss_chamber():
		return Vector2(BOSS_SLOT_X[slot], BOSS_Y if slot == 2 else SLOT_Y)
	return Vector2(SLOT_X[slot], SLOT_Y)


func _slot_scale(slot: int) -> float:
	return BOSS_SCALE if run.in_boss_chamber() and slot == 2 else 1.0


func _new_view(card: CourtCard) -> CardView:
	var view: CardView = CARD_VIEW.instantiate()
	_cards.add_child(view)
	view.setup(card, run.floor_data()["back"])
	_views[card] = view
	return view


func _put_blade(view: CardView) -> void:
	view.settle(HeroTray.BLADE_AT, HeroTray.BLADE_SCALE)
	view.show_text(false, true)


func _crown_view(view: CardView) -> void:
	view.show_text(false, true)
	_last_boss = view.card
	_boss_fill.size.x = 260.0 * run.vigour / maxf(run.full_vigour, 1.0)


## Sends a card to the discard and forgets its view once it has arrived.
func _to_discard(card: CourtCard, seconds: float = 0.34) -> void:
	var view: CardView = _views[card]
	_views.erase(card)
	view.show_text(false, false)
	view.z_index = 5
	var tween: Tween = view.glide(TableSides.DISCARD_AT, TableSides.SCALE, seconds, 0.1)
	tween.chain().tween_callback(view.queue_free)
	tween.chain().tween_callback(func() -> void: _sides.show_discard(run.discard))


func _show_floor(_event: Dictionary) -> void:
	for card: CourtCard in _views.keys():
		if card != run.blade and not run.satchel.has(card):
			_views[card].queue_free()
			_views.erase(card)
	_felt.dress(run.floor_data())
	_sides.dress(run)
	_refresh_counts()
	_boss_plate.visible = false
	_lay_places()
	_say("")
	var data: Dictionary = run.floor_data()
	await _fx.banner("Floor %s" % data["numeral"], str(data["name"]), data["accent"],
		UiKit.art("items/" + str(data["gem"])), false).finished


func _refresh_counts() -> void:
	_bar.refresh(run)
	_sides.refresh(run)
	_tray.refresh(run, _stance)


func _show_deal(event: Dictionary) -> void:
	var view: CardView = _new_view(event["card"])
	view.settle(TableSides.PILE_AT if not run.in_boss_chamber() else TableSides.DISCARD_AT, TableSides.SCALE)
	view.show_back(true)
	view.glide(_slot_at(event["slot"]), _slot_scale(event["slot"]), 0.32)
	view.flip(false, 0.3)
	await _pause(0.1)


func _show_chamber(_event: Dictionary) -> void:
	_refresh_counts()
	await _pause(0.24)


func _show_boss(event: Dictionary) -> void:
	_refresh_counts()
	_boss_plate.visible = true
	_lay_places()
	_boss_name.text = run.boss.title()
	_boss_text.text = "%d / %d" % [run.vigour, run.full_vigour]
	await _fx.banner(run.boss.title(), run.boss.effect(), UiKit.EMBER, UiKit.printed("king"), true).finished
	var view: CardView = _new_view(event["card"])
	view.settle(TableSides.OMEN_AT, TableSides.SCALE)
	_crown_view(view)
	view.show_worth(run.boss_attack, run.boss_attack)
	_fx.shake(6.0)
	await view.glide(_slot_at(2), BOSS_SCALE, 0.35).finished
	_fx.burst(_slot_at(2), UiKit.art("motes/treeBrown_small"), UiKit.EMBER, 18)


func _show_taken(event: Dictionary) -> void:
	_tray.show_taken(event["taken"])


func _show_attack(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	var stance: CourtRun.Stance = event["stance"]
	match stance:
		CourtRun.Stance.STRIKE:
			await _fx.slash(HeroTray.BLADE_AT, view.position).finished
			_fx.burst(view.position, UiKit.art("items/star"), UiKit.CREAM, 9)
		CourtRun.Stance.FLING:
			var thrown: CardView = _views[event["blade"]]
			thrown.z_index = 8
			await thrown.glide(view.position, 0.5, 0.26, TAU).finished
			_fx.burst(view.position, UiKit.art("items/star"), UiKit.GOLD, 16, 330.0)
			_fx.shake(4.0)
		CourtRun.Stance.BARE:
			_tray.pose("jump", 0.3)
			await _pause(0.12)
	# A king's own wound is shown when his vigour drops.
	if int(event["worth"]) > 0 and event["card"] != _last_boss:
		_fx.number(view.position - Vector2(0, 20), "-%d" % event["worth"], UiKit.CREAM, 46)
	view.flinch(Color(2.4, 2.2, 2.0))
	await _pause(0.14)
	# What the blade did not stop comes through.
	if int(event.get("wound", 0)) > 0:
		var leap: Tween = view.lunge(HeroTray.HERO_AT, 0.34)
		await _pause(0.16)
		leap.kill()


func _show_fell(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	_fx.burst(view.position, UiKit.art("motes/treeBrown_small"), UiKit.EMBER, 10)
	_to_discard(event["card"])


func _show_dulled(event: Dictionary) -> void:
	if _views.has(run.blade):
		_views[run.blade].show_worth(event["edge"], run.blade.value())
	_fx.number(HeroTray.BLADE_AT + Vector2(0, 20), "-%d edge" % event["amount"], Color("9fd0ff"), 26)


func _show_honed(event: Dictionary) -> void:
	_views[run.blade].show_worth(event["edge"], run.blade.value())
	_views[run.blade].flinch(Color(1.6, 1.8, 2.4))
	_fx.number(HeroTray.BLADE_AT, "Edge %d" % event["edge"], Color("9fd0ff"), 34)
	_fx.burst(HeroTray.BLADE_AT, UiKit.art("items/star"), Color.WHITE, 12)
	await _pause(0.3)


func _show_blade_gone(event: Dictionary) -> void:
	_to_discard(event["card"])


func _show_wounded(event: Dictionary) -> void:
	_tray.show_threat(0)
	_tray.show_health(event["health"], run.max_health)
	_tray.pose("fall", 0.55)
	_fx.number(HeroTray.HERO_AT + Vector2(0, -64), "-%d" % event["amount"], UiKit.BLOOD.lightened(0.15), 58)
	_fx.burst(HeroTray.HERO_AT, UiKit.art("items/gemRed"), UiKit.BLOOD, 8 + int(event["amount"]))
	_fx.shake(5.0 + minf(event["amount"], 10.0))
	await _pause(0.36)


func _show_blocked(_event: Dictionary) -> void:
	_tray.show_threat(0)
	_fx.number(HeroTray.HERO_AT + Vector2(0, -64), "No harm", Color("9fd0ff"), 27)
	await _pause(0.24)


func _show_healed(event: Dictionary) -> void:
	_tray.show_health(event["health"], run.max_health)
	_tray.pose("jump", 0.5)
	var why: String = event["why"]
	if why != "":
		_fx.notice(why, UiKit.GOLD)
	_fx.number(HeroTray.HERO_AT + Vector2(0, -64), "+%d" % event["amount"], Color("9be06f"), 54)
	_fx.burst(HeroTray.HERO_AT, UiKit.art("items/gemGreen"), Color.WHITE, 12)
	await _pause(0.3)


func _show_equip(event: Dictionary) -> void:
	if event["old"] != null:
		_to_discard(event["old"])
	var view: CardView = _views[event["card"]]
	view.show_text(false, true)
	view.z_index = 5
	await view.glide(HeroTray.BLADE_AT, HeroTray.BLADE_SCALE, 0.3).finished
	view.z_index = 0
	_stance = CourtRun.Stance.STRIKE
	_tray.refresh(run, _stance)
	_fx.burst(HeroTray.BLADE_AT, UiKit.art("items/star"), Color.WHITE, 8)
	_fx.number(HeroTray.BLADE_AT, "Edge %d" % event["edge"], Color("9fd0ff"), 34)
	await _pause(0.12)


func _show_consume(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	view.show_text(false, false)
	view.z_index = 5
	await view.glide(HeroTray.HERO_AT, 0.4, 0.26, 0.2).finished
	_to_discard(event["card"], 0.3)


func _show_cast(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	view.show_text(false, false)
	view.z_index = 5
	await view.glide(Vector2(640, 240), 1.2, 0.24).finished
	var blast: bool = event["colour"] == "blast"
	_fx.burst(Vector2(640, 240), UiKit.art("motes/treeBrown_small"), UiKit.GOLD, 30 if blast else 20, 420.0)
	_fx.shake(10.0 if blast else 4.0)
	await _pause(0.22)
	_to_discard(event["card"])


func _show_scorched(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	view.flinch(Color(2.6, 1.2, 0.5))
	view.show_worth(run.strength_of(event["card"]), (event["card"] as CourtCard).value())
	_fx.number(view.position, "-%d" % event["amount"], UiKit.EMBER.lightened(0.2), 44)
	_fx.burst(view.position, UiKit.art("motes/treeBrown_small"), UiKit.EMBER, 10)
	await _pause(0.1)


func _show_blasted(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	_views.erase(event["card"])
	_fx.burst(view.position, UiKit.art("motes/treeBrown_small"), UiKit.EMBER, 26, 380.0)
	_fx.shake(12.0)
	view.burn(0.5).tween_callback(view.queue_free)
	await _pause(0.3)


func _show_stash(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	view.show_text(false, true)
	view.z_index = 5
	await view.glide(HeroTray.POCKETS[run.satchel.find(event["card"])], HeroTray.POCKET_SCALE, 0.3).finished
	view.z_index = 0


func _show_stolen(event: Dictionary) -> void:
	_fx.number(HeroTray.POCKETS[0] - Vector2(0, 40), "Stolen!", UiKit.GOLD, 36)
	_views[event["card"]].flinch(Color(2.0, 0.8, 0.8))
	await _pause(0.25)
	_to_discard(event["card"])


func _show_return(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	_views.erase(event["card"])
	view.flip(true, 0.16)
	view.glide(TableSides.PILE_AT, TableSides.SCALE, 0.34).chain().tween_callback(view.queue_free)
	await _pause(0.06)


func _show_slipped(_event: Dictionary) -> void:
	_tray.walk(true)
	_fx.notice("Slipped past", UiKit.CREAM)
	await _pause(0.55)
	_tray.walk(false)


func _show_recruit(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	_views.erase(event["card"])
	view.show_text(false, false)
	view.glide(TableSides.OMEN_AT, 0.3, 0.34).chain().tween_callback(view.queue_free)
	await _pause(0.26)
	_fx.number(TableSides.OMEN_AT, "+%d" % CourtRun.STRAGGLER_VIGOUR, UiKit.EMBER.lightened(0.2), 40)
	_sides.omen_view().flinch(Color(2.0, 1.2, 0.8))
	_sides.show_vigour(event["vigour"], run.stragglers)


func _show_burn(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	_views.erase(event["card"])
	_fx.burst(view.position, UiKit.art("motes/treeBrown_small"), UiKit.EMBER, 12)
	view.burn(0.45).tween_callback(view.queue_free)
	await _pause(0.12)


func _show_boss_attack(event: Dictionary) -> void:
	await _pause(0.2)
	var view: CardView = _views[event["card"]]
	view.lunge(HeroTray.HERO_AT, 0.42)
	await _pause(0.22)


func _show_boss_hit(event: Dictionary) -> void:
	_boss_text.text = "%d / %d" % [event["vigour"], run.full_vigour]
	_views[event["card"]].flinch(Color(2.6, 1.6, 1.2))
	_fx.number(_slot_at(2) - Vector2(0, 40), "-%d" % event["amount"], UiKit.EMBER.lightened(0.25), 58)
	_fx.shake(4.0)
	await _pause(0.2)


func _show_boss_grows(event: Dictionary) -> void:
	_views[run.boss].show_worth(event["attack"], event["attack"])
	_fx.number(_slot_at(2) + Vector2(0, 60), "Hotter!  Blow %d" % event["attack"], UiKit.EMBER, 30)
	_fx.burst(_slot_at(2), UiKit.art("motes/treeBrown_small"), UiKit.EMBER, 14)
	await _pause(0.15)


func _show_dragged(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	_views.erase(event["card"])
	_fx.number(view.position, "Dragged under!", Color("8fdcff"), 30)
	_fx.burst(view.position, UiKit.art("items/coinSilver"), Color(0.6, 0.9, 1.0), 14)
	view.glide(view.position + Vector2(0, 60), 0.5, 0.4)
	create_tween().tween_property(view, "modulate", Color(0.2, 0.5, 0.8, 0.0), 0.4)
	await _pause(0.2)
	view.queue_free()


func _show_boss_down(event: Dictionary) -> void:
	var view: CardView = _views[event["card"]]
	_views.erase(event["card"])
	_boss_fill.size.x = 1.0
	for i: int in 3:
		_fx.burst(view.position + Vector2(i * 40 - 40, i * 20 - 20), UiKit.art("items/star"), UiKit.GOLD, 22, 460.0)
	_fx.shake(16.0)
	_fx.notice("%s falls!" % view.card.title(), UiKit.GOLD)
	view.burn(0.8).tween_callback(view.queue_free)
	await _pause(0.7)
	_boss_plate.visible = false


func _show_boons(_event: Dictionary) -> void:
	_refresh_counts()
	await _pause(0.3)
	_overlay = BOON_SCREEN.instantiate()
	_overlay.z_index = OVERLAY_Z
	add_child(_overlay)
	_overlay.call("offer", run.offers, run.floor_index)
	_overlay.connect("chosen", _boon_chosen)


func _boon_chosen(id: String) -> void:
	_close_overlay()
	_show(run.choose_boon(id))


func _show_won(_event: Dictionary) -> void:
	await _pause(0.7)
	ended.emit(run)


func _show_lost(_event: Dictionary) -> void:
	_fx.notice("The light goes out", UiKit.BLOOD.lightened(0.2))
	_tray.pose("fall", 5.0)
	await _pause(0.9)
	ended.emit(run)
