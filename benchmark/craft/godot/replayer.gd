extends Node
# Drives the game frame by frame: fixed step, inputs on their exact frame, only the frames that are needed drawn.
# Loaded before the game's own autoloads. Speaks to the host over a socket that is gone once it is connected.
#
# Order within one frame f: the engine delivers the inputs of f · physics · _process · timers · deferred calls ·
# draw (here) · the inputs of f+1 are queued.

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
var _total := 0
var _first := 0                # the window of frames that is sampled
var _last := 0
var _still_every := 15
var _video_every := 0
var _fingerprints := false     # a hash of what the nodes show, every frame
var _inputs: Array = []        # of [frame, kind, x, y, control, pressed, echo]

var _host: RefCounted
var _observer: RefCounted
var _frame := -1
var _next_input := 0
var _undrawn_sec := 0.0
var _drawn := 0
var _pointer := Vector2(640, 360)     # where a fresh X server has it
var _buttons := 0
var _shift := false
var _ctrl := false
var _alt := false
var _last_click := [-1000, Vector2.INF, 0]
var _sent: Array[int] = []            # inputs queued for the frame to come
var _early := {}                      # releases that were sent with their press
var _buttons_before := {}             # ids of the buttons that lay under the next press a frame before it
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
	_total = int(config.frames)
	_first = int(config.first)
	_last = int(config.last)
	_still_every = int(config.still_every)
	_video_every = int(config.video_every)
	_inputs = config.inputs
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
	_queue_inputs(0)
	_host.hello(_environment())


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
	var inside := _frame >= _first and _frame <= _last
	var offset := _frame - _first
	var still := inside and offset % _still_every == 0
	if still or (inside and _video_every > 0 and offset % _video_every == 0):
		_capture()
	elif _must_draw():
		_draw()
	if still:
		_host.state(_frame, _observer.look(get_tree()))
	if _fingerprints:
		_host.fingerprint(_frame, _observer.fingerprint(get_tree().root))
	if _frame >= _total - 1:
		_finish()
		return
	_queue_inputs(_frame + 1)
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

func _queue_inputs(frame: int) -> void:
	_sent.clear()
	while _next_input < _inputs.size() and int(_inputs[_next_input][0]) <= frame:
		if not _early.has(_next_input):
			_queue_input(_next_input, frame)
			var release := _release_of(_next_input)
			if release >= 0 and _is_rebuilt(_inputs[_next_input]):
				_early[release] = true
				_queue_input(release, frame)
		_next_input += 1
	_look_ahead(frame + 1)


func _queue_input(index: int, frame: int) -> void:
	_send(_event(_inputs[index], frame))
	_sent.append(index)


# A click is held for a frame, so that games which ask whether a button is down see it. Some games rebuild their buttons
# on every frame: the one that was pressed is gone when the release comes, and the click is lost. The robot of the
# reference presses and releases at once, so there such a game can be clicked. Here, where the button under the pointer
# was not there a frame ago, a click ends in the frame in which it began.
func _release_of(press: int) -> int:
	var row: Array = _inputs[press]
	if row[1] != "button" or not row[5]:
		return -1
	for index in range(press + 1, _inputs.size()):
		var later: Array = _inputs[index]
		if int(later[0]) > int(row[0]) + 1:
			break
		if later[1] == "button" and later[4] == row[4]:
			return index if not later[5] and int(later[0]) == int(row[0]) + 1 else -1
	return -1


func _look_ahead(frame: int) -> void:
	_buttons_before.clear()
	for index in range(_next_input, _inputs.size()):
		if int(_inputs[index][0]) > frame:
			break
		if _release_of(index) >= 0:
			for id: int in _buttons_at(_inputs[index]):
				_buttons_before[id] = true


func _is_rebuilt(press: Array) -> bool:
	var now := _buttons_at(press)
	return not now.is_empty() and not _buttons_before.is_empty() \
			and not now.any(func(id: int) -> bool: return _buttons_before.has(id))


func _buttons_at(press: Array) -> Array[int]:
	var found: Array[int] = []
	var place := get_window().get_final_transform().affine_inverse() * Vector2(press[2], press[3])
	for node in get_tree().root.find_children("*", "BaseButton", true, false):
		var button := node as BaseButton
		if button.is_queued_for_deletion() or not button.is_visible_in_tree():
			continue
		var inside := button.get_global_transform_with_canvas().affine_inverse() * place
		if Rect2(Vector2.ZERO, button.size).has_point(inside):
			found.append(button.get_instance_id())
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
	while not _sent.is_empty() and moved == (_inputs[_sent[0]][1] == "motion"):
		_host.input_delivered(_sent.pop_front(), _frame + 1)
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
