extends RefCounted
# Sends what a player would send. An event goes into the engine's own buffer, which it empties before the next frame,
# where a player's events land too. Flushed at once it would belong to a frame whose `_process` is over, and
# `is_action_just_pressed` is never true there.

var driver: Node                 # waits for frames and ticks
var _held: Dictionary = {}       # action -> the event that it was pressed with
var _waiting: Dictionary = {}    # button -> its events that were not sent yet
var _sent: Dictionary = {}       # button -> the frame and the tick in which its last event was sent


func press(action: StringName) -> void:
	if not _held.has(action):
		_held[action] = _bound(action)
		_send_event(action, _held[action], true)


func release(action: StringName) -> void:
	if _held.has(action):
		_send_event(action, _held[action], false)
		_held.erase(action)


func tap(action: StringName, held: int) -> void:
	press(action)
	await driver.physics(held)
	release(action)
	await until_seen()


func key(code: Key, held: int) -> void:
	var event := InputEventKey.new()
	event.physical_keycode = code
	event.keycode = code
	for pressed: bool in [true, false]:
		_send_event(code, event, pressed)
		await driver.physics(held)
	await until_seen()


func click(place: Vector2) -> void:
	var motion := InputEventMouseMotion.new()
	motion.position = place
	motion.global_position = place
	buffer(motion)
	await driver.frames(1)
	var event := InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_LEFT
	event.position = place
	event.global_position = place
	for pressed: bool in [true, false]:
		_send_event(&"left mouse button", event, pressed)
		await driver.frames(2)
	await until_seen()


func click_on(control: Control) -> void:
	await click(control.get_global_transform_with_canvas() * (control.size / 2))


func release_all() -> void:
	for action: StringName in _held.keys():
		release(action)


# A player presses keys: code that asks for one (`_unhandled_key_input`, `event is InputEventKey`) never meets an action.
func _bound(action: StringName) -> InputEvent:
	var events := InputMap.action_get_events(action) if InputMap.has_action(action) else []
	for type: String in ["InputEventKey", "InputEventMouseButton", "InputEventJoypadButton"]:
		for event: InputEvent in events:
			if event.is_class(type):
				return _as_struck(event.duplicate())
	var only := InputEventAction.new()
	only.action = action
	return only


# What is bound names a key in one of several ways; one that is struck has them all.
func _as_struck(event: InputEvent) -> InputEvent:
	event.device = 0
	if event is InputEventKey:
		var code: Key = event.keycode if event.keycode != KEY_NONE else event.physical_keycode
		event.keycode = code if code != KEY_NONE else event.key_label
		if event.physical_keycode == KEY_NONE:
			event.physical_keycode = event.keycode
	elif event is InputEventMouseButton:
		event.position = driver.get_tree().root.get_visible_rect().get_center()
		event.global_position = event.position
	return event


func _send_event(button: Variant, event: InputEvent, pressed: bool) -> void:
	var copy: InputEvent = event.duplicate()
	copy.pressed = pressed
	if copy is InputEventMouseButton:
		copy.button_mask = 1 << (copy.button_index - 1) if pressed else 0
	_waiting.get_or_add(button, []).append(copy)
	send_waiting()


# One event of a button after the other: the next is sent when a frame and a tick have seen the one before, or a press
# and a release between two ticks would be nothing to code that asks whether a button is held.
func send_waiting() -> void:
	for button: Variant in _waiting.keys():
		if _is_seen(button):
			buffer(_waiting[button].pop_front())
			_sent[button] = [Engine.get_process_frames(), Engine.get_physics_frames()]
			if _waiting[button].is_empty():
				_waiting.erase(button)


func _is_seen(button: Variant) -> bool:
	var at: Array = _sent.get(button, [-1, -1])
	return Engine.get_process_frames() > at[0] and Engine.get_physics_frames() > at[1]


func until_seen() -> void:
	while not _waiting.is_empty() or not _sent.keys().all(_is_seen):
		await driver.frames(1)


func buffer(event: InputEvent) -> void:
	var accumulates := Input.use_accumulated_input
	Input.use_accumulated_input = true   # without it the event is not kept for the next frame
	Input.parse_input_event(event)
	Input.use_accumulated_input = accumulates
