extends RefCounted
# The line to the host: a socket whose file the host removes once we are connected, before any code of the game runs.
# Every message is a header of five numbers (kind, three arguments, payload size) and a payload.

enum { HELLO = 1, FRAME, STATE, INPUT, END, PRINT, SAME, POINTER, OVER, SHOWN, RELEASE }

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


# What the host answers; when it is gone, there is nothing left to play for.
func _answer() -> Variant:
	var answer: Variant = JSON.parse_string(_socket.get_utf8_string())
	if answer == null:
		OS.kill(OS.get_process_id())
	return answer


# The inputs of the first frame.
func first_inputs() -> Array:
	return _answer()


# What the host wants of this frame: `picture`, `state`, whether it was the `last`. The `inputs` of the next frame come
# with it if nothing of this one is to be seen any more, else they are null until `next_inputs` asks for them.
func frame_is_over(frame: int, more_to_show: bool) -> Dictionary:
	_send(OVER, frame, int(more_to_show))
	return _answer()


func next_inputs(frame: int) -> Array:
	_send(SHOWN, frame)
	return _answer()


# The release of a click that has to end in the frame in which it began: one input, or none if it is held longer.
func release_of(press: int) -> Array:
	_send(RELEASE, press)
	return _answer()


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
