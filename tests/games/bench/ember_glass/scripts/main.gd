extends Node2D
## Passes the mouse to the board and to the background's ripples.

const RIPPLES := 6

var _level: int = 0
var _turns: int = 0
var _warmth: float = 0.0
# Slot by slot: x, y, age, strength. The oldest slot is overwritten.
var _ripples := PackedVector4Array()
var _next_ripple: int = 0

@onready var _board: Board = $Board
@onready var _smoke: ShaderMaterial = $Back/Smoke.material


func _ready() -> void:
	_ripples.resize(RIPPLES)
	_board.turned.connect(_on_turned)
	_board.solved.connect(_on_solved)
	%StartOver.pressed.connect(_start_level)
	_apply_scenario()
	_start_level()


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button and button.pressed:
		_add_ripple(button.position)
		if button.button_index == MOUSE_BUTTON_LEFT:
			_board.click(button.position)
	elif event is InputEventMouseMotion:
		_board.hover((event as InputEventMouseMotion).position)


func _process(delta: float) -> void:
	for i: int in RIPPLES:
		_ripples[i] += Vector4(0, 0, delta, 0)
	_warmth = move_toward(_warmth, _board.lit_share(), delta * 0.8)
	_smoke.set_shader_parameter(&"ripples", _ripples)
	_smoke.set_shader_parameter(&"warmth", _warmth)
	%Light.value = _warmth


func _add_ripple(at: Vector2) -> void:
	_ripples[_next_ripple] = Vector4(at.x, at.y, 0.0, 1.0)
	_next_ripple = (_next_ripple + 1) % RIPPLES


func _on_turned() -> void:
	_turns += 1
	%Turns.text = "turns %d" % _turns


func _on_solved() -> void:
	_level = (_level + 1) % Levels.BOARDS.size()
	_start_level()


func _start_level() -> void:
	_turns = 0
	%Turns.text = "turns 0"
	%Level.text = "board %d of %d" % [_level + 1, Levels.BOARDS.size()]
	_board.load_level(Levels.BOARDS[_level])


func _apply_scenario() -> void:
	var args: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = args.find("--scenario")
	if at >= 0 and at + 1 < args.size() and args[at + 1] == "last_board":
		_level = Levels.BOARDS.size() - 1
