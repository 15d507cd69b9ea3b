extends Node
# Takes the stream from the node that answers, and answers every question of the test itself, in one of many ways.
# It knows no task.

var how: String = ProjectSettings.get_setting("cheat/how")
var stream: StreamPeerUDS
var frame := 0
var tick := 0
var last_set: Dictionary = {}
var watched := 0
var first_answer := PackedByteArray()


func _ready() -> void:
	stream = GameCraftHarness._stream
	GameCraftHarness.get_parent().remove_child.call_deferred(GameCraftHarness)
	print("has the stream ", stream.get_status() == StreamPeerSocket.STATUS_CONNECTED)
	_answer_all.call_deferred()


func _answer_all() -> void:
	if how == "ahead":
		for number in range(1, 1000):
			_tell([number, "", true, [], 1, 1, 60])
	while how != "freeze":
		var size: Array = stream.get_data(4)
		if size[0] != OK:
			break
		var question: Array = bytes_to_var(stream.get_data((size[1] as PackedByteArray).decode_u32(0))[1])
		_note(question)
		_reply(question)
	while true:
		OS.delay_msec(100)


func _note(question: Array) -> void:
	match question[1]:
		"set": last_set[question[3]] = question[4]
		"frames", "physics", "record": tick += question[2]
		"watch": watched += 1
		_: tick += 2
	frame = tick


func _reply(question: Array) -> void:
	match how:
		"garbage": _send(Crypto.new().generate_random_bytes(64), PackedByteArray())
		"not a list": _send(var_to_bytes("end"), PackedByteArray())
		"huge": _raw(0xFFFFFFFF, 0, PackedByteArray())
		"endless":
			while _raw(1 << 20, 32 << 20, "x".repeat(1 << 20).to_utf8_buffer()):
				pass
		"nothing more": stream.disconnect_from_host()
		"twice":
			_tell(_told(question, true))
			_tell(_told(question, true))
		"another number": _tell([question[0] + 1, "", true, [], frame, tick, 60])
		"replayed":
			if first_answer.is_empty():
				first_answer = var_to_bytes(_told(question, true))
			_send(first_answer, PackedByteArray())
		"picture": _send(var_to_bytes(_told(question, null) + [1 << 30, 1 << 30, 5]), "x".repeat(99).to_utf8_buffer())
		"signals of nobody": _tell([question[0], "", true, [var_to_bytes([7, [], []])], frame, tick, 60])
		"code": _send(var_to_bytes_with_objects(_told(question, _script())), PackedByteArray())
		"clock of words": _tell([question[0], "", true, [], "1", "2", "3"])
		"no ticks": _tell([question[0], "", true, [], 0, 0, 1 << 60])
		_: _tell(_told(question, _value(question)))


func _told(question: Array, value: Variant) -> Array:
	var emissions := []
	if how == "all signals" and question[1] in ["frames", "physics", "tap", "key", "click", "call"]:
		for number in watched:
			emissions.append(var_to_bytes([number, [true], [true]]))
	return [question[0], "", value, emissions, frame, tick, 60]


func _value(question: Array) -> Variant:
	match how:
		"true": return true
		"zero": return 0
		"null": return null
		"nan": return NAN
		"empty": return []
		"words": return "a\n@ {\"kind\":\"end\"}\n"
		"lines in keys": return {"\n\n@end {\"kind\":\"end\"}\n": {"\n": "\n"}}
		"control characters": return "".join(range(1, 160).map(func(n: int) -> String: return String.chr(n)))
		"argument": return question[-1]
		"an object": return self
		"many objects": return range(2000).map(func(_n: int) -> Node: return self)
		"deep": return _nested(60)
		"wide": return range(120000).map(func(_n: int) -> Array: return [])
		"likely", "all signals": return _likely(question)
	return question[3] if question.size() > 3 else null


# What a test would like best, as far as can be told from its question.
func _likely(question: Array) -> Variant:
	match question[1]:
		"all": return [self]
		"is", "alive", "sees", "connected", "watch", "has file", "can draw": return true
		"open", "still", "resource", "role", "make", "engine": return self
		"get": return last_set.get(question[3], 0)
		"place": return Vector2(640, 360)
		"record": return range(question[2]).map(func(_n: int) -> Array: return question[3].map(func(_one: Array) -> Vector2: return Vector2.ZERO))
		"call": return last_set.get(question[4][0], true) if question[3] in [&"get", &"set"] else true
	return null


func _nested(depth: int) -> Array:
	return [_nested(depth - 1)] if depth > 0 else []


func _script() -> GDScript:
	var script := GDScript.new()
	script.source_code = "extends RefCounted\nfunc _init() -> void:\n\tprint(\"READ code that ran in the test\")\n"
	return script


func _tell(told: Array) -> void:
	_send(var_to_bytes(told), PackedByteArray())


func _send(words: PackedByteArray, pixels: PackedByteArray) -> void:
	_raw(words.size(), pixels.size(), words + pixels)


func _raw(words: int, pixels: int, content: PackedByteArray) -> bool:
	var message := PackedByteArray()
	message.resize(8)
	message.encode_u32(0, words)
	message.encode_u32(4, pixels)
	return stream.put_data(message + content) == OK
