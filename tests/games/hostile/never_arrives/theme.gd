# Attacks: the host, before our replayer comes. `way.txt` says how: in our replayer's words that there is no host, or in
# its place on the line to the host.
extends Theme


func _init() -> void:
	var place := OS.get_environment("GAMECRAFT_CHANNEL")
	if place == "":
		return
	if FileAccess.get_file_as_string("res://way.txt").strip_edges() == "says so":
		printerr("replayer: no host")
		OS.kill(OS.get_process_id())
	var line := StreamPeerUDS.new()
	line.connect_to_host(place)
	while line.get_status() != StreamPeerSocket.STATUS_CONNECTED:
		line.poll()
	print("ATTACK took the line")
	OS.kill(OS.get_process_id())
