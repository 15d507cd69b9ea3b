extends Node2D
# A picture that never changes, whatever the mouse does. The scenario says how it is shown.

const TARGET := Rect2(300, 180, 40, 40)    # in units of the base size

var _frame := 0


func _ready() -> void:
	var words := OS.get_cmdline_user_args()
	var scenario: String = words[1] if words.size() > 1 else ""
	var window := get_window()
	window.content_scale_aspect = Window.CONTENT_SCALE_ASPECT_KEEP
	match scenario:
		"narrow":           # a picture of 640×480 with bars at both sides
			window.content_scale_mode = Window.CONTENT_SCALE_MODE_VIEWPORT
			window.content_scale_size = Vector2i(640, 480)
		"items":            # the same, drawn at the window's resolution
			window.content_scale_mode = Window.CONTENT_SCALE_MODE_CANVAS_ITEMS
			window.content_scale_size = Vector2i(640, 480)
		"small":            # a window of its own size
			window.size = Vector2i(800, 600)
	set_process(scenario in ["hidden", "captured"])


func _process(_delta: float) -> void:
	_frame += 1
	if _frame == 20:
		var captured := OS.get_cmdline_user_args()[1] == "captured"
		Input.mouse_mode = Input.MOUSE_MODE_CAPTURED if captured else Input.MOUSE_MODE_HIDDEN
	elif _frame == 40:
		Input.mouse_mode = Input.MOUSE_MODE_VISIBLE


func _draw() -> void:
	draw_rect(Rect2(0, 0, 2000, 2000), Color(0.2, 0.35, 0.3))
	draw_rect(TARGET, Color(0.8, 0.1, 0.1))
