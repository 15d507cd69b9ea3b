extends ColorRect
# A lamp, a counter, and a message at the fifth press.

const DARK := Color(0.06, 0.06, 0.12)
const LIT := Color(0.95, 0.75, 0.3)
const GLOW := Color(0.4, 0.8, 0.6)

var _presses := 0


func _ready() -> void:
	var words := OS.get_cmdline_user_args()
	if words.size() == 2 and words[0] == "--scenario" and words[1] == "evening":
		_presses = 4
	_show()


func _unhandled_key_input(event: InputEvent) -> void:
	if event.is_pressed() and not event.is_echo():
		match event.keycode:
			KEY_SPACE: _presses += 1
			KEY_R: _presses = 0
		_show()


func _show() -> void:
	color = DARK if _presses % 2 == 0 else (GLOW if _presses >= 5 else LIT)
	$Count.text = str(_presses)
	$Thanks.text = "Thank you for the visit." if _presses >= 5 else ""
