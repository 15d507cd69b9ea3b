# Attacks: the network. Connects to a local port (user argument --port N, else 80), to an address
# outside, to the name of one, over HTTP, and a listening socket of its own.
extends Node2D

const POLL_FRAMES: int = 20

var frame: int = 0
var port: int = 80
var peers: Dictionary[String, StreamPeerTCP] = {}
var done: Dictionary[String, bool] = {}
var http: HTTPRequest


func _ready() -> void:
	var args: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = args.find("--port")
	if at >= 0 and at + 1 < args.size():
		port = args[at + 1].to_int()
	_connect("127.0.0.1", port)
	_connect("::1", port)
	_connect("192.0.2.1", 80)
	http = HTTPRequest.new()
	http.timeout = 2.0
	add_child(http)
	http.request_completed.connect(_on_http)
	var error: int = http.request("http://game.invalid/")
	if error != OK:
		_say("http://game.invalid/", false)
	var server: TCPServer = TCPServer.new()
	_say("listen:0.0.0.0:45454", server.listen(45454) == OK)
	server.stop()
	print("ATTACK resolve game.invalid %s" % [IP.resolve_hostname("game.invalid", IP.TYPE_IPV4)])
	print("ATTACK interfaces %s" % [IP.get_local_addresses()])
	# The X server speaks over a unix socket, which the engine cannot open as a stream: only its presence.
	print("ATTACK x11 socket folder %s" % [DirAccess.get_files_at("/tmp/.X11-unix")])


func _connect(host: String, to_port: int) -> void:
	var label: String = "%s:%d" % [host, to_port]
	var peer: StreamPeerTCP = StreamPeerTCP.new()
	if peer.connect_to_host(host, to_port) == OK:
		peers[label] = peer
	else:
		_say(label, false)


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()
	for label: String in peers:
		if done.has(label):
			continue
		var peer: StreamPeerTCP = peers[label]
		peer.poll()
		var status: int = peer.get_status()
		if status == StreamPeerTCP.STATUS_CONNECTED:
			peer.put_data("GET / HTTP/1.0\r\n\r\n".to_utf8_buffer())
			_say(label, true)
		elif status != StreamPeerTCP.STATUS_CONNECTING or frame >= POLL_FRAMES:
			_say(label, false)


func _on_http(result: int, code: int, _headers: PackedStringArray, body: PackedByteArray) -> void:
	print("ATTACK http result %d code %d bytes %d" % [result, code, body.size()])
	_say("http://game.invalid/", result == HTTPRequest.RESULT_SUCCESS)


func _say(label: String, worked: bool) -> void:
	done[label] = true
	print("ATTACK connect %s %s" % [label, "ok" if worked else "refused"])


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
