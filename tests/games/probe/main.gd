# Tests: whether each replayed input arrives, where, when and in which form. Logs all of it.
extends Control

const DragBox: GDScript = preload("res://drag_box.gd")
const KEYS: Array[Key] = [
	KEY_A, KEY_D, KEY_H, KEY_I, KEY_0, KEY_9, KEY_ESCAPE, KEY_ENTER, KEY_SPACE, KEY_TAB, KEY_BACKSPACE,
	KEY_DELETE, KEY_SHIFT, KEY_CTRL, KEY_ALT, KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT,
]
const ACTIONS: PackedStringArray = ["ui_accept", "ui_left", "jump"]

var first_frame: int = -1
var keys_down: Dictionary[Key, bool] = {}
var buttons_down: Dictionary[MouseButton, bool] = {}
var last_mouse: Vector2 = Vector2.INF


func _ready() -> void:
	var button: Button = Button.new()
	button.text = "Button"
	_place(button, "Button", 0.05, 0.10, 0.20, 0.15)
	button.pressed.connect(_log_signal.bind("button", "pressed"))
	button.button_down.connect(_log_signal.bind("button", "button_down"))
	button.button_up.connect(_log_signal.bind("button", "button_up"))
	button.mouse_entered.connect(_log_signal.bind("button", "mouse_entered"))
	button.mouse_exited.connect(_log_signal.bind("button", "mouse_exited"))

	_drag_box("DragSource", 0.35, Color.ORANGE, false)
	_drag_box("DropTarget", 0.55, Color.STEEL_BLUE, true)

	var slider: HSlider = HSlider.new()
	slider.max_value = 100.0
	slider.step = 1.0
	_place(slider, "Slider", 0.05, 0.45, 0.40, 0.10)
	slider.value_changed.connect(func(value: float) -> void: log_line({"src": "slider", "value": value}))

	var edit: LineEdit = LineEdit.new()
	# The blinking of the caret is no part of the test.
	edit.caret_blink = false
	_place(edit, "Edit", 0.55, 0.45, 0.40, 0.10)
	edit.text_changed.connect(func(text: String) -> void: log_line({"src": "line_edit", "text": text}))
	edit.text_submitted.connect(func(text: String) -> void: log_line({"src": "line_edit_submit", "text": text}))

	var area: Area2D = Area2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	var rectangle: RectangleShape2D = RectangleShape2D.new()
	rectangle.size = _fraction(0.20, 0.20)
	shape.shape = rectangle
	area.position = _fraction(0.15, 0.80)
	area.input_pickable = true
	area.add_child(shape)
	add_child(area)
	area.input_event.connect(_on_area_input)
	area.mouse_entered.connect(_log_signal.bind("area", "mouse_entered"))
	area.mouse_exited.connect(_log_signal.bind("area", "mouse_exited"))
	log_line({"src": "start", "viewport": pair(get_viewport_rect().size), "window": [get_window().size.x, get_window().size.y]})


func _fraction(x: float, y: float) -> Vector2:
	return get_viewport_rect().size * Vector2(x, y)


func _place(control: Control, label: String, x: float, y: float, width: float, height: float) -> void:
	control.name = label
	add_child(control)
	control.position = _fraction(x, y)
	control.size = _fraction(width, height)


func _drag_box(label: String, x: float, tint: Color, is_target: bool) -> void:
	var box: ColorRect = DragBox.new()
	box.color = tint
	box.set("main", self)
	box.set("is_target", is_target)
	_place(box, label, x, 0.10, 0.12, 0.15)


func frame() -> int:
	return Engine.get_process_frames() - first_frame if first_frame >= 0 else -1


func pair(v: Vector2) -> Array:
	return [snappedf(v.x, 0.01), snappedf(v.y, 0.01)]


func log_line(fields: Dictionary) -> void:
	fields["frame"] = frame()
	print("PROBE ", JSON.stringify(fields))


func _log_signal(source: String, what: String) -> void:
	log_line({"src": source, "signal": what})


func _describe(source: String, event: InputEvent) -> Dictionary:
	var d: Dictionary = {"src": source, "class": event.get_class()}
	if event is InputEventKey:
		var key: InputEventKey = event
		d.merge({"keycode": OS.get_keycode_string(key.keycode), "physical_keycode": OS.get_keycode_string(key.physical_keycode), "unicode": key.unicode, "pressed": key.pressed, "echo": key.echo})
	if event is InputEventMouse:
		var mouse: InputEventMouse = event
		d.merge({"position": pair(mouse.position), "global_position": pair(mouse.global_position), "button_mask": mouse.button_mask})
	if event is InputEventMouseButton:
		var click: InputEventMouseButton = event
		d.merge({"button_index": click.button_index, "pressed": click.pressed, "double_click": click.double_click})
	if event is InputEventMouseMotion:
		var motion: InputEventMouseMotion = event
		d["relative"] = pair(motion.relative)
	if event is InputEventWithModifiers:
		var modified: InputEventWithModifiers = event
		d.merge({"shift": modified.shift_pressed, "ctrl": modified.ctrl_pressed, "alt": modified.alt_pressed})
	return d


func _input(event: InputEvent) -> void:
	log_line(_describe("_input", event))


func _unhandled_input(event: InputEvent) -> void:
	log_line(_describe("_unhandled_input", event))


func _on_area_input(_viewport: Node, event: InputEvent, _shape: int) -> void:
	log_line(_describe("area_input", event))


func _process(_delta: float) -> void:
	if first_frame < 0:
		first_frame = Engine.get_process_frames()
	for key: Key in KEYS:
		var down: bool = Input.is_key_pressed(key)
		if down != keys_down.get(key, false):
			keys_down[key] = down
			log_line({"src": "poll_key", "keycode": OS.get_keycode_string(key), "pressed": down})
	for index: MouseButton in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		var down: bool = Input.is_mouse_button_pressed(index)
		if down != buttons_down.get(index, false):
			buttons_down[index] = down
			log_line({"src": "poll_mouse_button", "button_index": index, "pressed": down})
	_poll_actions("poll_action")
	var mouse: Vector2 = get_global_mouse_position()
	if mouse != last_mouse:
		last_mouse = mouse
		log_line({"src": "poll_mouse", "position": pair(mouse)})


func _physics_process(_delta: float) -> void:
	_poll_actions("physics_action")


func _poll_actions(source: String) -> void:
	for action: String in ACTIONS:
		if Input.is_action_just_pressed(action):
			log_line({"src": source, "action": action, "edge": "pressed"})
		if Input.is_action_just_released(action):
			log_line({"src": source, "action": action, "edge": "released"})
