# Attacks: the conversation with the host. Takes the harness's own line and, on frame 20, speaks on it in the way that
# this demo's `scenario` names.
extends Node2D

var _frame := -1
var _way := "draw_early"


func _ready() -> void:
	var words := OS.get_cmdline_user_args()
	if words.size() == 2:
		_way = words[1]


func _process(_delta: float) -> void:
	_frame += 1
	if _frame != 20:
		return
	var host: RefCounted = get_tree().root.get_child(0).get(&"_host")
	match _way:
		"draw_early":
			for frame in range(20, 59):
				var wanted: Dictionary = host.frame_is_over(frame, false)
				var inputs: Variant = wanted.inputs
				if inputs == null:
					inputs = host.next_inputs(frame)
				for input: Array in inputs:
					print("ATTACK drew %s for frame %d" % [input, frame + 1])
		"ask_twice":
			print("ATTACK drew %s" % [host.next_inputs(20)])
		"ask_release":
			print("ATTACK drew %s" % [host.release_of(4)])
		"end_early":
			host.end(60, 60, {})
		"show_another":
			host.picture(30, Image.create_empty(1280, 720, false, Image.FORMAT_RGBA8))
		"deliver":
			host.input_delivered(3, 21)
		"flood":
			for number in 100000:
				host.state(20, {"boxes": range(20000)})
		"nonsense":
			host._socket.put_data("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_utf8_buffer())
