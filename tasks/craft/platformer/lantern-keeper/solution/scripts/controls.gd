class_name Controls
extends RefCounted
## The game's own input actions. Registered from code so that the bindings can be read in one place.

const BINDINGS: Dictionary[StringName, Array] = {
	&"walk_left": [KEY_LEFT, KEY_A],
	&"walk_right": [KEY_RIGHT, KEY_D],
	&"climb_up": [KEY_UP, KEY_W],
	&"climb_down": [KEY_DOWN, KEY_S],
	&"leap": [KEY_SPACE],
	&"use": [KEY_E],
	&"pause": [KEY_ESCAPE, KEY_P],
}


static func register() -> void:
	for action: StringName in BINDINGS:
		if InputMap.has_action(action):
			continue
		InputMap.add_action(action)
		for key: Key in BINDINGS[action]:
			var event := InputEventKey.new()
			event.keycode = key
			InputMap.action_add_event(action, event)
