extends Node2D
# Notes every press and every release that it meets, in each of the ways in which a project may look at input.

const ACTIONS: Array[StringName] = [&"jump", &"fire", &"throw"]

var seen: Dictionary[String, int] = {}
var _was: Dictionary[String, bool] = {}


func _ready() -> void:
	var bell: Button = $Bell
	bell.button_down.connect(_note.bind("button", true))
	bell.button_up.connect(_note.bind("button", false))
	bell.pressed.connect(_note.bind("click", true))
	bell.gui_input.connect(_on_event.bind("gui"))


func _process(_delta: float) -> void:
	_poll("process")


func _physics_process(_delta: float) -> void:
	_poll("physics")


func _input(event: InputEvent) -> void:
	_on_event(event, "input")


func _unhandled_input(event: InputEvent) -> void:
	_on_event(event, "unhandled")


func _unhandled_key_input(event: InputEvent) -> void:
	_on_event(event, "unhandled key")


func _poll(way: String) -> void:
	for action in ACTIONS:
		if Input.is_action_just_pressed(action):
			_note("%s just %s" % [way, action], true)
		if Input.is_action_just_released(action):
			_note("%s just %s" % [way, action], false)
		_level("%s held %s" % [way, action], Input.is_action_pressed(action))
		_level("%s strength %s" % [way, action], Input.get_action_strength(action) > 0.5)
	_level("%s key F" % way, Input.is_key_pressed(KEY_F))
	_level("%s physical key F" % way, Input.is_physical_key_pressed(KEY_F))
	_level("%s mouse" % way, Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT))


func _level(way: String, holds: bool) -> void:
	if holds != _was.get(way, false):
		_note(way, holds)
	_was[way] = holds


func _on_event(event: InputEvent, way: String) -> void:
	for action in ACTIONS:
		if event.is_action_pressed(action):
			_note("%s %s" % [way, action], true)
		if event.is_action_released(action):
			_note("%s %s" % [way, action], false)


func _note(way: String, pressed: bool) -> void:
	var line := "%s %s" % [way, "pressed" if pressed else "released"]
	seen[line] = seen.get(line, 0) + 1
