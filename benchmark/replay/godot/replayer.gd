extends Node
# Drives the game frame by frame: fixed step, inputs on their exact frame, only the frames that are needed drawn.
# Loaded before the game's own autoloads. Speaks to the host over a socket that is gone once it is connected.
#
# Order within one frame f: the engine delivers the inputs of f · physics · _process · timers · deferred calls ·
# draw (here) · the inputs of f+1 are asked for and queued.
#
# Whatever is known here the game can read. So the host says at the end of a frame what it wants to see of it, and gives
# the inputs of the next one when it has seen that: there is nothing to read ahead.

const FPS := 30.0
const BOOT_USEC := 2000000
const LAST := 2147483647

enum Buttons { left = MOUSE_BUTTON_LEFT, right = MOUSE_BUTTON_RIGHT }

const KEYS := {
	"ESCAPE": KEY_ESCAPE, "ENTER": KEY_ENTER, "SPACE": KEY_SPACE, "TAB": KEY_TAB, "BACKSPACE": KEY_BACKSPACE,
	"DELETE": KEY_DELETE, "SHIFT": KEY_SHIFT, "CTRL": KEY_CTRL, "ALT": KEY_ALT,
	"UP": KEY_UP, "DOWN": KEY_DOWN, "LEFT": KEY_LEFT, "RIGHT": KEY_RIGHT,
}

# From the host.
var _marker := ""
var _fingerprints := false     # a hash of what the nodes show, every frame

var _host: RefCounted
var _observer: RefCounted
var _frame := -1
var _undrawn_sec := 0.0
var _drawn := 0
var _pointer := Vector2(640, 360)     # where a fresh X server has it
var _buttons := 0
var _shift := false
var _ctrl := false
var _alt := false
var _last_click := [-1000, Vector2.INF, 0]
var _sent: Array = []                 # inputs queued for the frame to come: [number, kind]
var _buttons_known := {}              # every button of the game that is still there, by id
var _buttons_before: Array = []       # those that could be seen a frame ago: [id, from window to button, size]
var _draw_stride := 0                 # 0: only frames that are captured; 1: every frame; 3: every third
var _accumulating: Array[SubViewport] = []
var _captured := false
var _told_pointer := {}
var _finished := false


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	process_priority = LAST
	process_physics_priority = LAST
	var folder: String = get_script().resource_path.get_base_dir()
	_host = load(folder.path_join("hostlink.gd")).new()
	var config: Dictionary = _host.configuration()
	_marker = config.marker
	_draw_stride = 1 if config.draw_all else 0
	_fingerprints = config.fingerprints
	seed(int(config.seed))
	_observer = load(folder.path_join("observer.gd")).new()


func _enter_tree() -> void:
	# Let the window be mapped, focused and entered, so that no native event arrives during the replay.
	for attempt in 200:
		DisplayServer.process_events()
		if attempt > 4 and DisplayServer.window_is_focused(0):
			break
		OS.delay_usec(500)
	_set_clock(0)
	RenderingServer.render_loop_enabled = false
	# Frames are read from the viewport: copying each to a window that nobody watches costs a screenful of pixels.
	var viewport := get_viewport().get_viewport_rid()
	RenderingServer.viewport_attach_to_screen(viewport, Rect2(), DisplayServer.INVALID_WINDOW_ID)
	RenderingServer.viewport_set_update_mode(viewport, RenderingServer.VIEWPORT_UPDATE_ALWAYS)
	get_tree().node_added.connect(_on_node_added)
	get_tree().process_frame.connect(_on_frame_begins)
	get_window().window_input.connect(_on_input_delivered)
	_host.hello(_environment())
	_queue_inputs(_host.first_inputs(), 0)


func _exit_tree() -> void:
	OS.set_environment("GAMECRAFT_CLOCK", "release")


# Checks, in this very run, what is pinned: the host writes it into the evidence.
func _environment() -> Dictionary:
	var size := DisplayServer.window_get_size()
	return {
		"clock": _clock_is_virtual(),
		"pointer": DisplayServer.mouse_get_position() == Vector2i(_pointer),
		"adapter": RenderingServer.get_video_adapter_name(),
		"api": RenderingServer.get_video_adapter_api_version(),
		"window": [size.x, size.y],
		"physics_fps": Engine.physics_ticks_per_second,
		"arithmetic": _arithmetic(),
	}


# What shaders are compiled for, if the library has a say in it.
func _arithmetic() -> String:
	OS.set_environment("GAMECRAFT_CLOCK", "arithmetic")
	var answer := OS.get_environment("GAMECRAFT_ARITHMETIC")
	OS.unset_environment("GAMECRAFT_ARITHMETIC")
	return answer


func _clock_is_virtual() -> bool:
	var before := Time.get_ticks_usec()
	var sum := 0
	for i in 2000:
		sum += i
	return Time.get_ticks_usec() == before and sum > 0


func _set_clock(frame: int) -> void:
	var usec := BOOT_USEC + int(frame * 1000000.0 / FPS)
	var command := "advance %d %d %d %d" % [usec, int(_pointer.x), int(_pointer.y), _buttons]
	OS.set_environment("GAMECRAFT_CLOCK", command)


# ---- what makes skipping frames visible to the game ------------------------------------------------------------

func _on_node_added(node: Node) -> void:
	if node is VisibleOnScreenNotifier2D or node is VisibleOnScreenNotifier3D:
		_draw_stride = 1    # its signals come from drawing
	elif node is SubViewport:
		_accumulating.append(node)
	elif (node is GPUParticles2D or node is GPUParticles3D) and _draw_stride != 1:
		_draw_stride = 3    # they catch up over at most a tenth of a second
	elif node is BaseButton:
		_buttons_known[node.get_instance_id()] = true


func _must_draw() -> bool:
	if _draw_stride > 0 and _frame % _draw_stride == 0:
		return true
	for viewport in _accumulating:
		if is_instance_valid(viewport) and viewport.render_target_clear_mode == SubViewport.CLEAR_MODE_NEVER:
			return true
	for signal_name: StringName in [&"frame_post_draw", &"frame_pre_draw"]:
		for connection: Dictionary in RenderingServer.get_signal_connection_list(signal_name):
			var listener: Object = connection.callable.get_object()
			if not (listener is CPUParticles2D or listener is CPUParticles3D):   # these only prepare the drawing
				return true
	return false


# ---- one frame --------------------------------------------------------------------------------------------------

func _on_frame_begins() -> void:
	printerr(_marker, _frame + 1)
	OS.set_environment("GAMECRAFT_CLOCK", "settle")


func _process(_delta: float) -> void:
	_frame += 1
	_undrawn_sec += 1.0 / FPS
	if not _finished:
		get_tree().create_timer(0.0).timeout.connect(_after_timers, CONNECT_ONE_SHOT)


# Timers, then two rounds of deferred calls: the end of the engine's frame, where it would draw itself.
func _after_timers() -> void:
	_after_deferred.call_deferred()


func _after_deferred() -> void:
	_end_of_frame.call_deferred()


func _end_of_frame() -> void:
	if _finished:
		return
	var drawn_anyway := _must_draw()
	var wanted: Dictionary = _host.frame_is_over(_frame, drawn_anyway or _fingerprints)
	if wanted.picture:
		_capture()
	elif drawn_anyway:
		_draw()
	if wanted.state:
		_host.state(_frame, _observer.look(get_tree()))
	if _fingerprints:
		_host.fingerprint(_frame, _observer.fingerprint(get_tree().root))
	if wanted.last:
		_finish()
		return
	_queue_inputs(wanted.inputs if wanted.inputs != null else _host.next_inputs(_frame), _frame + 1)
	_set_clock(_frame + 1)


func _draw() -> void:
	RenderingServer.force_draw(false, _undrawn_sec)
	_undrawn_sec = 0.0
	_drawn += 1


func _capture() -> void:
	var seen: Dictionary = _observer.pointer(get_window())
	if seen != _told_pointer:
		_told_pointer = seen
		_host.pointer(_frame, seen)
	# As in the engine's low-processor mode: what has not changed need not be drawn again.
	if _captured and not RenderingServer.has_changed():
		_host.same_picture(_frame)
		return
	_captured = true
	_draw()
	var image := get_viewport().get_texture().get_image()
	if image == null or image.is_empty():
		return
	if image.get_format() != Image.FORMAT_RGBA8:
		image.convert(Image.FORMAT_RGBA8)
	_host.picture(_frame, image)


func _finish() -> void:
	_finished = true
	_host.end(_frame + 1, _drawn, {"draw_stride": _draw_stride})
	OS.set_environment("GAMECRAFT_CLOCK", "release")
	get_tree().quit()


# ---- input ------------------------------------------------------------------------------------------------------

# Each input is [number, kind, x, y, control, pressed, echo].
func _queue_inputs(inputs: Array, frame: int) -> void:
	_sent.clear()
	for input: Array in inputs:
		_queue_input(input, frame)
		if input[1] == "button" and input[5] and _is_rebuilt(input):
			for release: Array in _host.release_of(int(input[0])):
				_queue_input(release, frame)
	_remember_buttons()


func _queue_input(input: Array, frame: int) -> void:
	_send(_event(input, frame))
	_sent.append([int(input[0]), input[1]])


# A click is held for a frame, so that games which ask whether a button is down see it. Some games rebuild their buttons
# on every frame: the one that was pressed is gone when the release comes, and the click is lost. The robot of the
# reference presses and releases at once, so there such a game can be clicked. Here, where the button under the pointer
# was not there a frame ago, a click ends in the frame in which it began.
func _is_rebuilt(press: Array) -> bool:
	var place := Vector2(press[2], press[3])
	var before := _buttons_at(place, _buttons_before)
	if before.is_empty():
		return false
	var now := _buttons_at(place, _visible_buttons())
	return not now.is_empty() and not now.any(func(id: int) -> bool: return id in before)


func _buttons_at(place: Vector2, buttons: Array) -> Array[int]:
	var found: Array[int] = []
	for button: Array in buttons:
		if Rect2(Vector2.ZERO, button[2]).has_point(button[1] * place):
			found.append(button[0])
	return found


# Where the next press will be is not known yet, so all of them.
func _remember_buttons() -> void:
	_buttons_before = _visible_buttons()


func _visible_buttons() -> Array:
	var found: Array = []
	if _buttons_known.is_empty():
		return found
	var from_window := get_window().get_final_transform().affine_inverse()
	for id: int in _buttons_known.keys():
		var button := instance_from_id(id) as BaseButton
		if button == null:
			_buttons_known.erase(id)
		elif button.is_visible_in_tree() and button.is_inside_tree() and not button.is_queued_for_deletion():
			found.append([id, button.get_global_transform_with_canvas().affine_inverse() * from_window, button.size])
	return found


# Buffered, so that the engine delivers it where native events arrive: before the next frame. Flushing at once
# would lose `is_action_just_pressed` in _process.
func _send(event: InputEvent) -> void:
	var accumulated := Input.use_accumulated_input
	Input.use_accumulated_input = true
	Input.parse_input_event(event)
	Input.use_accumulated_input = accumulated


func _on_input_delivered(event: InputEvent) -> void:
	# The engine merges the motions of one frame into one event.
	var moved := event is InputEventMouseMotion
	while not _sent.is_empty() and moved == (_sent[0][1] == "motion"):
		_host.input_delivered(_sent.pop_front()[0], _frame + 1)
		if not moved:
			break


func _event(input: Array, frame: int) -> InputEvent:
	match str(input[1]):
		"motion":
			return _motion(Vector2(input[2], input[3]))
		"button":
			return _click(Buttons[input[4]], input[5], frame)
	return _key(str(input[4]), input[5], input[6])


func _with_modifiers(event: InputEventWithModifiers) -> void:
	event.window_id = 0
	event.shift_pressed = _shift
	event.ctrl_pressed = _ctrl
	event.alt_pressed = _alt


func _motion(to: Vector2) -> InputEvent:
	var event := InputEventMouseMotion.new()
	_with_modifiers(event)
	event.position = to
	event.global_position = to
	event.relative = to - _pointer
	event.screen_relative = event.relative
	event.button_mask = _buttons
	event.pressure = 1.0 if _buttons & MOUSE_BUTTON_MASK_LEFT else 0.0
	_pointer = to
	if Input.mouse_mode == Input.MOUSE_MODE_CAPTURED:
		event.position = Vector2(get_window().size / 2)
		event.global_position = event.position
	return event


func _click(button: int, pressed: bool, frame: int) -> InputEvent:
	var event := InputEventMouseButton.new()
	var mask := 1 << (button - 1)
	_buttons = (_buttons | mask) if pressed else (_buttons & ~mask)
	_with_modifiers(event)
	event.button_index = button
	event.pressed = pressed
	event.button_mask = _buttons
	event.position = _pointer
	event.global_position = _pointer
	if pressed:
		# As the X11 display server decides it: within 400 ms and 5 pixels of the press before.
		var soon: bool = (frame - int(_last_click[0])) / FPS < 0.4
		var near: bool = _pointer.distance_to(_last_click[1]) < 5.0
		event.double_click = soon and near and _last_click[2] == button
		_last_click = [-1000, Vector2.INF, 0] if event.double_click else [frame, _pointer, button]
	return event


func _key(key_name: String, pressed: bool, echo: bool) -> InputEvent:
	var event := InputEventKey.new()
	var code: Key = KEYS[key_name] if KEYS.has(key_name) else key_name.unicode_at(0) as Key
	event.keycode = code
	event.physical_keycode = code
	event.key_label = code
	event.pressed = pressed
	event.echo = echo
	# X11 reports a modifier's own key as it was before the key went down or up, then Godot adds it itself.
	if code == KEY_SHIFT:
		_shift = pressed
	elif code == KEY_CTRL:
		_ctrl = pressed
	elif code == KEY_ALT:
		_alt = pressed
	_with_modifiers(event)
	if code in [KEY_SHIFT, KEY_CTRL, KEY_ALT]:
		event.location = KEY_LOCATION_LEFT
		if code == KEY_SHIFT: event.shift_pressed = false
		elif code == KEY_CTRL: event.ctrl_pressed = false
		else: event.alt_pressed = false
	elif pressed:
		event.unicode = _character(key_name)
	return event


func _character(key_name: String) -> int:
	if key_name.length() == 1:
		if not _shift:
			return key_name.to_lower().unicode_at(0)
		var digit := "0123456789".find(key_name)
		return (")!@#$%^&*("[digit] if digit >= 0 else key_name).unicode_at(0)
	return 32 if key_name == "SPACE" else 0
