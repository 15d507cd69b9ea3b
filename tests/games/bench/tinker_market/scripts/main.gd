extends Control
## Wires the stall's state to its widgets and runs the day.

const DAY_SECONDS := 36.0
const ROW: PackedScene = preload("res://scenes/ingredient_row.tscn")
const CARD: PackedScene = preload("res://scenes/recipe_card.tscn")
const SLOT: PackedScene = preload("res://scenes/customer_slot.tscn")
const TOAST: PackedScene = preload("res://scenes/toast.tscn")
const QUEUE_LENGTH := 4

var _state := StallState.new()
var _time_left: float = DAY_SECONDS
var _next_customer: float = 0.6
var _open: bool = true
# The coin counter rolls towards the true amount, so it changes on most frames.
var _shown_coins: float = 0.0
var _rows: Array[IngredientRow] = []
var _cards: Array[RecipeCard] = []
var _slots: Array[CustomerSlot] = []
var _shelf_labels: Dictionary[String, Label] = {}
var _upgrade_buttons: Array[Button] = []
var _log: Array[String] = []


func _ready() -> void:
	for part: Dictionary in StallState.PARTS:
		var row: IngredientRow = ROW.instantiate()
		%PartRows.add_child(row)
		row.setup(part)
		row.buy_pressed.connect(_on_buy)
		_rows.append(row)
	for recipe: Dictionary in StallState.RECIPES:
		var card: RecipeCard = CARD.instantiate()
		%BenchRows.add_child(card)
		card.setup(recipe)
		card.craft_pressed.connect(_on_craft)
		card.finished.connect(_on_finished)
		_cards.append(card)
		_add_shelf_item(recipe)
	for i: int in QUEUE_LENGTH:
		var slot: CustomerSlot = SLOT.instantiate()
		%Queue.add_child(slot)
		slot.serve_pressed.connect(_on_serve)
		slot.left_unserved.connect(_on_left)
		_slots.append(slot)
	for upgrade: Dictionary in StallState.UPGRADES:
		var button := Button.new()
		button.custom_minimum_size = Vector2(0, 44)
		button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
		button.tooltip_text = upgrade["hint"]
		button.pressed.connect(_on_upgrade.bind(upgrade))
		%UpgradeRow.add_child(button)
		_upgrade_buttons.append(button)
	%NextDay.pressed.connect(_open_day)
	_apply_scenario()


func _process(delta: float) -> void:
	if _open:
		_time_left -= delta
		_next_customer -= delta
		if _next_customer <= 0.0:
			_next_customer = _state.arrival_seconds() * randf_range(0.8, 1.3)
			_welcome_customer()
		for card: RecipeCard in _cards:
			card.advance(delta)
		for slot: CustomerSlot in _slots:
			slot.advance(delta)
		if _time_left <= 0.0:
			_close_day()
	_refresh(delta)


func _refresh(delta: float) -> void:
	_shown_coins = move_toward(_shown_coins, _state.coins, delta * 40.0)
	%Coins.text = "%d" % roundi(_shown_coins)
	%Renown.text = "%d" % _state.renown
	%Day.text = "Day %d   %04.1fs left" % [_state.day, maxf(_time_left, 0.0)]
	%DayBar.value = _time_left / DAY_SECONDS
	for row: IngredientRow in _rows:
		row.refresh(_state)
	for card: RecipeCard in _cards:
		card.refresh(_state)
	for slot: CustomerSlot in _slots:
		slot.refresh(_state)
	for id: String in _shelf_labels:
		_shelf_labels[id].text = "x %d" % _state.shelf[id]
	for i: int in _upgrade_buttons.size():
		var upgrade: Dictionary = StallState.UPGRADES[i]
		var cost: int = _state.upgrade_cost(upgrade)
		_upgrade_buttons[i].text = "%s %d   (%d)" % [upgrade["name"], _state.levels[upgrade["id"]] + 1, cost]
		_upgrade_buttons[i].disabled = _state.coins < cost


func _add_shelf_item(recipe: Dictionary) -> void:
	var icon := TextureRect.new()
	icon.texture = load("res://art/%s.svg" % recipe["id"])
	icon.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	icon.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	icon.custom_minimum_size = Vector2(44, 44)
	%Shelf.add_child(icon)
	var label := Label.new()
	label.custom_minimum_size = Vector2(44, 0)
	%Shelf.add_child(label)
	_shelf_labels[recipe["id"]] = label


func _welcome_customer() -> void:
	for slot: CustomerSlot in _slots:
		if slot.is_free():
			var recipe: Dictionary = StallState.RECIPES[randi() % StallState.RECIPES.size()]
			slot.welcome(recipe, _state.price_of(recipe), _state.patience_seconds())
			return


func _on_buy(part: Dictionary) -> void:
	if _state.buy_part(part):
		_toast("+1 %s" % part["name"], Vector2(160, 660))


func _on_craft(card: RecipeCard) -> void:
	if card.busy or not _state.can_craft(card.recipe):
		return
	_state.take_parts(card.recipe)
	card.start(_state.craft_seconds(card.recipe))


func _on_finished(recipe: Dictionary) -> void:
	_state.shelf[recipe["id"]] += 1
	_toast("%s finished" % recipe["name"], Vector2(1110, 660))


func _on_serve(slot: CustomerSlot) -> void:
	if slot.is_free():
		return
	var recipe: Dictionary = slot.recipe
	# Quick service is tipped.
	var tip: int = roundi(slot.patience() * 4.0)
	var at: Vector2 = slot.global_position + Vector2(slot.size.x / 2.0, slot.size.y - 40.0)
	if _state.sell(recipe, tip):
		_toast("+%d coins" % (_state.price_of(recipe) + tip), at)
		_note("Sold a %s, tip %d." % [String(recipe["name"]).to_lower(), tip])
		slot.clear()
	else:
		_toast("No %s on the shelf" % String(recipe["name"]).to_lower(), at)


func _on_left(slot: CustomerSlot) -> void:
	_state.renown = maxi(_state.renown - 1, 0)
	_note("Someone left without a %s." % String(slot.recipe["name"]).to_lower())


func _on_upgrade(upgrade: Dictionary) -> void:
	if _state.buy_upgrade(upgrade):
		_toast("%s: %s" % [upgrade["name"], upgrade["hint"]], Vector2(640, 640))


func _close_day() -> void:
	_open = false
	for slot: CustomerSlot in _slots:
		slot.clear()
	%Summary.text = "Day %d\nSold %d trinkets for %d coins\nRenown %d" % [
		_state.day, _state.sold_today, _state.earned_today, _state.renown]
	%Closing.visible = true
	%Closing.modulate.a = 0.0
	create_tween().tween_property(%Closing, "modulate:a", 1.0, 0.5)


func _open_day() -> void:
	%Closing.visible = false
	_state.day += 1
	_state.sold_today = 0
	_state.earned_today = 0
	_time_left = DAY_SECONDS
	_open = true
	_note("Day %d begins." % _state.day)


func _note(line: String) -> void:
	_log.push_front(line)
	_log.resize(mini(_log.size(), 4))
	%Log.text = "\n".join(_log)


func _toast(message: String, at: Vector2) -> void:
	var toast: Toast = TOAST.instantiate()
	%Toasts.add_child(toast)
	toast.show_text(message, at)


func _apply_scenario() -> void:
	var args: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = args.find("--scenario")
	if at >= 0 and at + 1 < args.size() and args[at + 1] == "busy_evening":
		# A rich stall near closing time: the summary card shows within the demo.
		_state.day = 3
		_state.coins = 140
		_state.renown = 12
		_time_left = 12.0
		for id: String in _state.shelf:
			_state.shelf[id] = 3
		for slot: CustomerSlot in _slots:
			_welcome_customer()
	_shown_coins = _state.coins
