extends Control
# A row of buttons. The scenario says whether they are made once, on every frame, or in `_draw`, as some public games do.
# What was clicked and how long the mouse button was down is printed.

var _clicks := 0
var _down := 0
var _scenario := ""


func _ready() -> void:
	var words := OS.get_cmdline_user_args()
	_scenario = words[1] if words.size() > 1 else ""
	_rebuild()


func _process(_delta: float) -> void:
	if Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT):
		_down += 1
		print("down ", _down)
	if _scenario == "every_frame":
		_rebuild()
	elif _scenario == "in_draw":
		queue_redraw()


func _draw() -> void:
	if _scenario == "in_draw":
		_rebuild()


func _rebuild() -> void:
	for child in get_children():
		child.queue_free()
	for column in 3:
		var button := Button.new()
		button.text = "Column %d" % column
		button.position = Vector2(200 + 300 * column, 300)
		button.size = Vector2(200, 80)
		button.pressed.connect(_on_pressed.bind(column))
		add_child(button)


func _on_pressed(column: int) -> void:
	_clicks += 1
	print("clicked column ", column)
