extends SceneTree
# Runs a hidden test beside the project's engine, which is another process in another sandbox. What is said here is
# believed: no code of the project is in this process, and nothing that it answers is more than data.

const Kit := preload("res://kit.gd")
const Link := preload("res://link.gd")

var _unprintable := RegEx.create_from_string("[\\x{0}-\\x{1F}\\x{7F}-\\x{9F}]")
var _word: String                # begins each line of ours: an error message may quote what the project answered


func _initialize() -> void:
	var size := OS.read_buffer_from_stdin(16).get_string_from_ascii().to_int()
	var given: Dictionary = JSON.parse_string(OS.read_buffer_from_stdin(size).get_string_from_utf8())
	_word = given.word
	var test := GDScript.new()
	test.source_code = given.test
	if test.reload() != OK:
		_say_last({"kind": "broken"})
	var server := UDSServer.new()
	server.listen(given.channel + "/socket")
	FileAccess.open(given.channel + "/ready", FileAccess.WRITE).close()
	while not server.is_connection_available():
		OS.delay_msec(1)
	var stream := server.take_connection()
	server.stop()
	_say({"kind": "begin"})
	var link := Link.new(stream, given.methods)
	link.lost.connect(func(what: String) -> void: _say_last({"kind": "lost", "what": what}))
	var kit := Kit.new(link, given.parameters)
	kit.said.connect(_say)
	kit.play(test, given.picture)
	_say_last({"kind": "end"})


func _say(line: Dictionary) -> void:
	for key: String in line:
		if line[key] is String:  # which may quote the project; of letters that print, JSON.stringify makes JSON
			line[key] = _unprintable.sub(line[key], "\uFFFD", true)
	print("\n", _word, " ", JSON.stringify(line))


# The host ends both engines when it has heard this.
func _say_last(line: Dictionary) -> void:
	_say(line)
	while true:
		OS.delay_msec(1000)
