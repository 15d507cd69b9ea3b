class_name PlayScreen
extends Node2D
## One pond being played: reads input, counts moves, keeps the undo history, decides the outcome.

signal left(action: StringName)
signal finished(pond: int, stars: int, used: int)

const BOARD_AREA := Rect2(18, 30, 914, 660)
const KEY_DIRECTIONS: Dictionary[Key, Vector2i] = {
	KEY_LEFT: Vector2i.LEFT, KEY_A: Vector2i.LEFT, KEY_RIGHT: Vector2i.RIGHT, KEY_D: Vector2i.RIGHT,
	KEY_UP: Vector2i.UP, KEY_W: Vector2i.UP, KEY_DOWN: Vector2i.DOWN, KEY_S: Vector2i.DOWN,
}

var _index: int
var _pond: Dictionary
var _rules: PondRules
var _state: PondState
var _history: Array[PondState] = []
var _finder := RouteFinder.new()
var _waiting := Vector2i.ZERO
var _over: bool = false
var _best_before: int = 0

var _board: BoardView
var _hud: HudPanel
var _card: OutcomeCard
## An outcome waits a moment, so that the last slide can be seen to its end.
var _next_card: OutcomeCard
var _card_wait: float = 0.0
var _dim: ColorRect


func setup(index: int, best: int) -> void:
	_index = index
	_best_before = best
	_pond = PondLibrary.PONDS[index]
	_rules = PondRules.new(_pond["rows"])
	_state = _rules.start.copy()
	var field := SnowField.new()
	add_child(field)
	var cell: float = BoardView.cell_size(_rules, BOARD_AREA)
	var pond_size: Vector2 = Vector2(_rules.width - 1.2, _rules.height - 1.2) * cell
	field.build(_pond["region"], [Rect2(BOARD_AREA.get_center() - pond_size / 2.0, pond_size), HudPanel.FRAME.grow(-60.0)], index)
	_board = BoardView.new()
	add_child(_board)
	_board.build(_rules, BOARD_AREA)
	_board.modulate = SnowField.TINTS[_pond["region"]].lerp(Color.WHITE, 0.45)
	_board.settled.connect(_on_settled)
	_board.happened.connect(_on_happened)
	add_child(UiKit.snowfall(46, Vector2(940, 720)))
	_dim = ColorRect.new()
	_dim.color = Color(0.07, 0.15, 0.3, 0.42)
	_dim.size = Vector2(1280, 720)
	_dim.modulate.a = 0.0
	_dim.mouse_filter = Control.MOUSE_FILTER_IGNORE
	add_child(_dim)
	var layer := CanvasLayer.new()
	add_child(layer)
	_hud = HudPanel.new()
	layer.add_child(_hud)
	_hud.setup(_pond, index + 1, _rules)
	_hud.undo_pressed.connect(_undo)
	_hud.restart_pressed.connect(_restart)
	_hud.map_pressed.connect(func() -> void: left.emit(&"map"))
	_refresh()
	_look_ahead()


## Sets up a moment in the middle of a round, for the named scenarios.
func fast_forward(route: String) -> void:
	for letter: String in route:
		var before: PondState = _state.copy()
		_rules.slide(_state, PondRules.DIRECTIONS["LRUD".find(letter)])
		_history.append(before)
	_board.show_state(_state)
	_refresh()
	_look_ahead()


func _process(delta: float) -> void:
	if _next_card != null:
		_card_wait -= delta
		if _card_wait <= 0.0:
			_drop_card()
	if _over or _board.busy:
		return
	if _waiting != Vector2i.ZERO:
		var direction: Vector2i = _waiting
		_waiting = Vector2i.ZERO
		_slide(direction)
		return
	_finder.advance()
	match _finder.verdict:
		RouteFinder.Verdict.IMPOSSIBLE:
			_hud.warn("No way to finish from here. Undo a slide or restart.")
		RouteFinder.Verdict.TOO_LONG:
			_hud.warn("The moves left are too few from here. Undo or restart.")
		RouteFinder.Verdict.POSSIBLE, RouteFinder.Verdict.UNKNOWN:
			_hud.advise()


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventKey and event.is_pressed():
		_on_key(event as InputEventKey)
	elif event is InputEventMouseButton and event.is_pressed() and not _over:
		# Clicking the ice sends the courier towards the click, along the longer way.
		var click := event as InputEventMouseButton
		var way: Vector2 = click.position - _board.courier_point()
		if click.button_index == MOUSE_BUTTON_LEFT and way.length() > 20.0:
			_waiting = Vector2i(int(signf(way.x)), 0) if absf(way.x) > absf(way.y) else Vector2i(0, int(signf(way.y)))


func _on_key(event: InputEventKey) -> void:
	if event.keycode in KEY_DIRECTIONS:
		if not _over:
			_waiting = KEY_DIRECTIONS[event.keycode]
		return
	if event.echo:
		return
	match event.keycode:
		KEY_Z, KEY_U, KEY_BACKSPACE:
			_undo()
		KEY_R:
			_restart()
		KEY_ESCAPE, KEY_M:
			left.emit(&"map")
		KEY_ENTER, KEY_SPACE:
			if _card != null and _rules.is_won(_state):
				left.emit(&"next")


func _slide(direction: Vector2i) -> void:
	var before: PondState = _state.copy()
	var events: Array[Dictionary] = _rules.slide(_state, direction)
	if events[0]["event"] != PondRules.Event.BUMP:
		_history.append(before)
		_hud.pop_moves()
	_board.play(events, direction)
	_refresh_counters(before)


func _undo() -> void:
	if _history.is_empty() or _rules.is_won(_state):
		return
	_hud.nudge_undo()
	_go_to(_history.pop_back())


func _restart() -> void:
	_hud.nudge_restart()
	_history.clear()
	_go_to(_rules.start.copy())


func _go_to(state: PondState) -> void:
	_state = state
	_over = false
	_waiting = Vector2i.ZERO
	if _next_card != null:
		_next_card.free()
		_next_card = null
	if _card != null:
		_card.queue_free()
		_card = null
	_dim.create_tween().tween_property(_dim, "modulate:a", 0.0, 0.2)
	_board.show_state(_state)
	_board.puff()
	_refresh()
	_look_ahead()


func _on_happened(event: Dictionary) -> void:
	# Counters follow what is seen: a delivery counts when the crate lands on its flag.
	if event["event"] in [PondRules.Event.DELIVER, PondRules.Event.TAKE_KEY, PondRules.Event.UNLOCK]:
		_refresh()


func _on_settled() -> void:
	_refresh()
	var used: int = _history.size()
	if _rules.is_won(_state):
		_win(used)
	elif _state.sunk and _state.parcels.has(PondState.NOWHERE):
		_fail("Overboard!", "A parcel went through the broken ice.", "Thin ice carries one crossing only.", "fall")
	elif _state.sunk:
		_fail("Brr!", "The ice was already broken here.", "Wring out the mittens and have another go.", "fall")
	elif used >= _pond["budget"]:
		_fail("Nightfall!", "All %d moves are used up." % _pond["budget"], "Take back a slide, or plan a fresh round.", "idle")
	else:
		_look_ahead()


func _win(used: int) -> void:
	_over = true
	_board.cheer()
	var earned: int = PondLibrary.stars_for(_pond, used)
	var is_best: bool = _best_before > 0 and used < _best_before
	_show_card(OutcomeCard.solved(used, _pond["par"], earned, _index + 1 < PondLibrary.PONDS.size(), is_best), 0.8)
	finished.emit(_index, earned, used)


func _fail(title: String, story: String, advice: String, pose: String) -> void:
	_over = true
	_show_card(OutcomeCard.failed(title, story, advice, pose), 0.3)


func _show_card(card: OutcomeCard, wait: float) -> void:
	_next_card = card
	_card_wait = wait


func _drop_card() -> void:
	_card = _next_card
	_next_card = null
	_hud.get_parent().add_child(_card)
	_card.chosen.connect(_on_card_chosen)
	_dim.create_tween().tween_property(_dim, "modulate:a", 1.0, 0.3)


func _exit_tree() -> void:
	if _next_card != null:
		_next_card.free()


func _on_card_chosen(action: StringName) -> void:
	match action:
		&"undo":
			_undo()
		&"restart":
			_restart()
		_:
			left.emit(action)


func _look_ahead() -> void:
	_finder.begin(_rules, _state, _pond["budget"] - _history.size())


func _refresh() -> void:
	_hud.refresh(_state, _history.size(), _pond["budget"], _rules)


## While a slide is playing only the move count may run ahead of the picture.
func _refresh_counters(before: PondState) -> void:
	_hud.refresh(before, _history.size(), _pond["budget"], _rules)
