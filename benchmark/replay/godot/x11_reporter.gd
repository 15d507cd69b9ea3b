extends Node
# The x11 recorder's eye inside the game: it reports, and controls nothing. The game runs in real time and gets its
# input from the X server; this says when the first frame is on screen, what arrived when, and what state the game is in.

const FPS := 30.0
const FIRST := -2147483648

var _host: RefCounted
var _observer: RefCounted
var _marker := ""
var _begun_usec := -1
var _still_every := 15
var _next_still := 0
var _frames := 0
var _told_pointer := {}
var _slots := {}            # frame numbers (30 per second) in which the game drew something


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	process_priority = FIRST
	var folder: String = get_script().resource_path.get_base_dir()
	_host = load(folder.path_join("hostlink.gd")).new()
	var config: Dictionary = _host.configuration()
	_marker = config.marker
	_still_every = int(config.still_every)
	seed(int(config.seed))
	_observer = load(folder.path_join("observer.gd")).new()


func _enter_tree() -> void:
	RenderingServer.frame_post_draw.connect(_on_drawn)
	get_window().window_input.connect(_on_input)


# Frames are counted from the moment the first picture is on screen.
func _now() -> int:
	return int((Time.get_ticks_usec() - _begun_usec) * FPS / 1000000.0) if _begun_usec >= 0 else -1


func _on_drawn() -> void:
	_frames += 1
	if _frames == 2:      # the first picture has been swapped to the screen
		_begun_usec = Time.get_ticks_usec()
		_host.hello({
			"adapter": RenderingServer.get_video_adapter_name(),
			"api": RenderingServer.get_video_adapter_api_version(),
		})
	if _begun_usec >= 0 and not _slots.has(_now()):
		_slots[_now()] = true
		_host.drawn(_now())


func _process(_delta: float) -> void:
	printerr(_marker, maxi(_now(), 0))
	var seen := {"shown": _observer.pointer(get_window()).shown}
	if seen != _told_pointer:
		_told_pointer = seen
		_host.pointer(maxi(_now(), 0), seen)
	if _begun_usec >= 0 and _now() >= _next_still:
		_next_still += _still_every
		_host.state(_now(), _observer.look(get_tree()))


func _on_input(event: InputEvent) -> void:
	var what := {}
	if event is InputEventMouseMotion:
		what = {"kind": "motion", "x": event.position.x, "y": event.position.y}
	elif event is InputEventMouseButton:
		what = {"kind": "button", "control": event.button_index, "pressed": event.pressed}
	elif event is InputEventKey and not event.echo:
		what = {"kind": "key", "control": event.keycode, "pressed": event.pressed}
	if not what.is_empty():
		_host.input_delivered(0, maxi(_now(), 0), what)
