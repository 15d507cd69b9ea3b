# Attacks: the launch check, before its probe. Reads what the probe is told, and says in its place that all is well.
extends RefCounted


static func forge(way: String) -> void:
	var size := OS.read_buffer_from_stdin(16).get_string_from_ascii().to_int()
	print("ATTACK %s was told %d bytes" % [way, size])
	if size > 0:
		var told: Dictionary = JSON.parse_string(OS.read_buffer_from_stdin(size).get_string_from_utf8())
		print(told.marker, JSON.stringify({"scene": "Main", "broken": []}))
