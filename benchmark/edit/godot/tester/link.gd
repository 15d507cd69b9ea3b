extends RefCounted
# The test's end of the stream to the project's engine. Whatever comes through it is the project's word: data of
# limited size, never code, never an object, and only ever the answer to the question that was just asked.

const Proxy := preload("res://proxy.gd")
const OBJECT := "#object"
const EVENT := "#event"
const MAX_WORDS := 1 << 20
const MAX_PIXELS := 32 << 20
const MAX_DEPTH := 32
const MAX_ASKED_AFTER := 5000    # questions of a function that has broken off
const PARTS: Array[int] = [TYPE_INT, TYPE_STRING, -1, TYPE_ARRAY, TYPE_INT, TYPE_INT, TYPE_INT]
const PLAIN_UP_TO := TYPE_NODE_PATH  # the types behind it refer to something in a process

signal lost(what: String)

var frame := 0                   # of the project's engine, as of the last answer
var tick := 0
var ticks_per_second := 60
var broken_off := ""             # why nothing more of this test function counts
var watchers: Array[RefCounted] = []

var _stream: StreamPeerUDS
var _proxy_script: GDScript
var _proxies: Dictionary[int, RefCounted] = {}  # one for each object, so that == tells whether it is the same
var _number := 0
var _asked_after := 0


func _init(stream: StreamPeerUDS, methods: Array) -> void:
	_stream = stream
	_proxy_script = GDScript.new()
	_proxy_script.source_code = "extends \"res://proxy.gd\"\n"
	var own: Array = (Proxy as Script).get_script_method_list().map(func(one: Dictionary) -> String: return one.name)
	for method: String in methods:
		if method not in own and not ClassDB.class_has_method("RefCounted", method):
			_proxy_script.source_code += "func %s(...arguments: Array) -> Variant:\n\treturn _asked(&\"%s\", arguments)\n" % [method, method]
	_proxy_script.reload()


## Another test function begins: what broke off is behind us.
func begin() -> void:
	broken_off = ""
	_asked_after = 0
	watchers.clear()
	_proxies.clear()


func break_off(why: String) -> void:
	if broken_off == "":
		broken_off = why


## The answer to a question, or null where there is none.
func ask(question: String, of: Array) -> Variant:
	if broken_off != "":
		_asked_after += 1
		if _asked_after > MAX_ASKED_AFTER:
			lost.emit("the test broke off and did not come to an end: " + broken_off)
	_number += 1
	var asked := var_to_bytes([_number, question] + of.map(_written))
	var message := PackedByteArray()
	message.resize(4)
	message.encode_u32(0, asked.size())
	message.append_array(asked)
	if _stream.get_available_bytes() > 0:
		lost.emit("the project answered before it was asked")
	if _stream.put_data(message) != OK:
		lost.emit("the project quit before the test was over")
	return _taken()


func truth(question: String, of: Array) -> bool:
	var answer: Variant = ask(question, of)
	return answer is bool and answer


func text(question: String, of: Array) -> String:
	var answer: Variant = ask(question, of)
	return answer if answer is String else ""


func object(question: String, of: Array) -> Variant:
	var answer: Variant = ask(question, of)
	return answer if answer is Proxy else null


func objects(question: String, of: Array) -> Array:
	var answer: Variant = ask(question, of)
	return answer.filter(func(one: Variant) -> bool: return one is Proxy) if answer is Array else []


func _taken() -> Variant:
	var sizes := _received(8)
	if sizes.decode_u32(0) > MAX_WORDS or sizes.decode_u32(4) > MAX_PIXELS:
		lost.emit("the project answered with more than a test can use")
	var told: Variant = bytes_to_var(_received(sizes.decode_u32(0)))
	var pixels := _received(sizes.decode_u32(4))
	if not _is_answer(told):
		lost.emit("the project answered with something that is no answer")
	frame = told[4]
	tick = told[5]
	ticks_per_second = clampi(told[6], 1, 1000)
	for emission: Variant in told[3]:
		_note(emission)
	if told[1] != "":
		break_off((told[1] as String).left(500))
		return null
	if told.size() > PARTS.size():
		return _picture(told.slice(PARTS.size()), pixels)
	return _plain(told[2], 0)


func _received(size: int) -> PackedByteArray:
	var got: Array = _stream.get_data(size)
	if got[0] != OK:
		lost.emit("the project quit before the test was over")
	return got[1]


func _is_answer(told: Variant) -> bool:
	if typeof(told) != TYPE_ARRAY or told.size() not in [PARTS.size(), PARTS.size() + 3] or told[0] is not int or told[0] != _number:
		return false
	for index: int in PARTS.size():
		if PARTS[index] != -1 and typeof(told[index]) != PARTS[index]:
			return false
	return true


func _note(emission: Variant) -> void:
	var said: Variant = bytes_to_var(emission) if emission is PackedByteArray else null
	if said is Array and said.size() == 3 and said[0] is int and said[1] is Array and said[2] is Array:
		if said[0] >= 0 and said[0] < watchers.size():
			watchers[said[0]].note(_plain(said[1], 0), _plain(said[2], 0))
			return
	lost.emit("the project told of a signal in a way that is none")


func _picture(form: Array, pixels: PackedByteArray) -> Image:
	for one: Variant in form:
		if one is not int:
			return null
	var depth: int = {Image.FORMAT_RGB8: 3, Image.FORMAT_RGBA8: 4}.get(form[2], 0)
	var is_sound: bool = form[0] > 0 and form[0] <= 8192 and form[1] > 0 and form[1] <= 8192 and depth > 0
	if not is_sound or pixels.size() != form[0] * form[1] * depth:
		lost.emit("the project answered with a picture that is none")
	return Image.create_from_data(form[0], form[1], false, form[2], pixels)


# Values, with a proxy for each object. What refers to something inside a process means nothing here.
func _plain(value: Variant, depth: int) -> Variant:
	var type := typeof(value)
	if type == TYPE_ARRAY:
		if depth >= MAX_DEPTH:
			return null
		return value.map(func(one: Variant) -> Variant: return _plain(one, depth + 1))
	if type == TYPE_DICTIONARY:
		var found := {}
		for key: Variant in value if depth < MAX_DEPTH else {}:
			found[_plain(key, depth + 1)] = _plain(value[key], depth + 1)
		return found
	if type == TYPE_OBJECT:
		return _proxy((value as EncodedObjectAsID).object_id) if value is EncodedObjectAsID else null
	return value if type <= PLAIN_UP_TO or type > TYPE_ARRAY else null


func _proxy(id: int) -> RefCounted:
	if id == 0:
		return null
	if not _proxies.has(id):
		var made: RefCounted = _proxy_script.new()
		made.__link = self
		made.__id = id
		_proxies[id] = made
	return _proxies[id]


# What the test says, in a form that the other engine reads.
func _written(value: Variant) -> Variant:
	if value is Proxy:
		return {OBJECT: value.__id}
	if value is Array:
		return value.map(_written)
	if value is Dictionary:
		var found := {}
		for key: Variant in value:
			found[_written(key)] = _written(value[key])
		return found
	if value is InputEvent:
		return {EVENT: value.get_class(), "properties": _stored(value)}
	if typeof(value) > PLAIN_UP_TO and typeof(value) < TYPE_DICTIONARY and value != null:
		break_off("%s is of the test's own process and cannot be handed to the project; see t.make and t.watch" % value)
		return null
	return value


func _stored(event: InputEvent) -> Dictionary:
	var found := {}
	for property in event.get_property_list():
		if property.usage & PROPERTY_USAGE_STORAGE and property.type != TYPE_OBJECT:
			found[property.name] = event.get(property.name)
	return found
