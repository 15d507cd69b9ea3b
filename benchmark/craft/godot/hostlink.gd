extends RefCounted
# The line to the host: a socket whose file the host removes once we are connected, before any code of the game runs.
# Every message is a header of five numbers (kind, three arguments, payload size) and a payload.

enum { HELLO = 1, FRAME, STATE, INPUT, END, PRINT, SAME, POINTER }

var _socket := StreamPeerUDS.new()


# What the host wants of this run; without a host there is nothing to do here.
func configuration() -> Dictionary:
	_socket.connect_to_host(OS.get_environment("GAMECRAFT_CHANNEL"))
	_socket.poll()
	if _socket.get_status() != StreamPeerSocket.STATUS_CONNECTED:
		printerr("replayer: no host")
		OS.kill(OS.get_process_id())
		return {}
	return JSON.parse_string(_socket.get_utf8_string())


func hello(about: Dictionary) -> void:
	_send(HELLO, 0, 0, 0, JSON.stringify(about).to_utf8_buffer())


func picture(frame: int, image: Image) -> void:
	_send(FRAME, frame, image.get_width(), image.get_height(), image.get_data())


# The picture of this frame is that of the last one.
func same_picture(frame: int) -> void:
	_send(SAME, frame)


# For the x11 recorder: a frame was drawn, the host films it.
func drawn(frame: int) -> void:
	_send(FRAME, frame)


func state(frame: int, seen: Dictionary) -> void:
	_send(STATE, frame, 0, 0, JSON.stringify(seen).to_utf8_buffer())


func fingerprint(frame: int, value: int) -> void:
	_send(PRINT, frame, value)


func input_delivered(index: int, frame: int, what := {}) -> void:
	_send(INPUT, index, frame, 0, JSON.stringify(what).to_utf8_buffer())


# Whether a player would see the mouse pointer, and where a point of the window lies in the picture.
func pointer(frame: int, about: Dictionary) -> void:
	_send(POINTER, frame, 0, 0, JSON.stringify(about).to_utf8_buffer())


func end(frames: int, drawn_frames: int, summary: Dictionary) -> void:
	_send(END, frames, drawn_frames, 0, JSON.stringify(summary).to_utf8_buffer())


func _send(kind: int, a := 0, b := 0, c := 0, payload := PackedByteArray()) -> void:
	var header := PackedByteArray()
	header.resize(20)
	header.encode_u32(0, kind)
	header.encode_u32(4, a)
	header.encode_u32(8, b)
	header.encode_u32(12, c)
	header.encode_u32(16, payload.size())
	_socket.put_data(header)
	if not payload.is_empty():
		_socket.put_data(payload)
