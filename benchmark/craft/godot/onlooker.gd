extends Node
# The x11 recorder's eye inside the game: it reports, and controls nothing. The game runs in real time and gets its
# input from the X server; this says when the first frame is on screen, what arrived when, and what state the game is in.

enum Message { HELLO = 1, FRAME, STATE, INPUT, END }
const FPS := 30.0
const FIRST := -2147483648

var _host: StreamPeerUDS
var _observer: RefCounted
var _marker := ""
var _begun_usec := -1
var _still_every := 15
var _next_still := 0
var _frames := 0
var _slots := {}            # frame numbers (30 per second) in which the game drew something


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	process_priority = FIRST
	_host = StreamPeerUDS.new()
	_host.connect_to_host(OS.get_environment("GAMECRAFT_CHANNEL"))
	_host.poll()
	if _host.get_status() != StreamPeerSocket.STATUS_CONNECTED:
		printerr("replayer: no host")
		OS.kill(OS.get_process_id())
		return
	var config: Dictionary = JSON.parse_string(_host.get_utf8_string())
	_marker = config.marker
	_still_every = int(config.still_every)
	seed(int(config.seed))
	_observer = load(get_script().resource_path.get_base_dir().path_join("observer.gd")).new()


func _enter_tree() -> void:
	RenderingServer.frame_post_draw.connect(_on_drawn)
	get_window().window_input.connect(_on_input)


func _tell(kind: Message, a: int, b: int, payload: PackedByteArray) -> void:
	var header := PackedByteArray()
	header.resize(20)
	header.encode_u32(0, kind)
	header.encode_u32(4, a)
	header.encode_u32(8, b)
	header.encode_u32(16, payload.size())
	_host.put_data(header)
	if not payload.is_empty():
		_host.put_data(payload)


# Frames are counted from the moment the host has begun to record, which it says with one byte.
func _now() -> int:
	return int((Time.get_ticks_usec() - _begun_usec) * FPS / 1000000.0) if _begun_usec >= 0 else -1


func _on_drawn() -> void:
	_frames += 1
	if _frames == 2:      # the first picture has been swapped to the screen
		var about := {"adapter": RenderingServer.get_video_adapter_name(), "api": RenderingServer.get_video_adapter_api_version()}
		_tell(Message.HELLO, 0, 0, JSON.stringify(about).to_utf8_buffer())
	if _begun_usec < 0 and _frames > 2 and _host.get_available_bytes() > 0:
		_host.get_u8()
		_begun_usec = Time.get_ticks_usec()
	if _begun_usec >= 0 and not _slots.has(_now()):
		_slots[_now()] = true
		_tell(Message.FRAME, _now(), 0, PackedByteArray())


func _process(_delta: float) -> void:
	_host.poll()
	printerr(_marker, maxi(_now(), 0))
	if _begun_usec >= 0 and _now() >= _next_still:
		_next_still += _still_every
		_tell(Message.STATE, _now(), 0, JSON.stringify(_observer.look(get_tree())).to_utf8_buffer())


func _on_input(event: InputEvent) -> void:
	var what := {}
	if event is InputEventMouseMotion:
		what = {"kind": "motion", "x": event.position.x, "y": event.position.y}
	elif event is InputEventMouseButton:
		what = {"kind": "button", "control": event.button_index, "pressed": event.pressed}
	elif event is InputEventKey and not event.echo:
		what = {"kind": "key", "control": event.keycode, "pressed": event.pressed}
	if not what.is_empty():
		_tell(Message.INPUT, 0, maxi(_now(), 0), JSON.stringify(what).to_utf8_buffer())
