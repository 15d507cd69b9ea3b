extends Node2D

signal switched(is_on: bool)

var is_on := false
var brightness := 0


func _physics_process(_delta: float) -> void:
	var found := 0
	for told: Signal in [get_tree().process_frame, get_tree().physics_frame]:
		for connection: Dictionary in told.get_connections():
			var state: Object = connection.callable.get_object()
			while state != null and state.has_method("resume"):
				found += 1
				var outer: Array = state.get_signal_connection_list("completed")
				state.call("resume", true)
				state = outer[0].callable.get_object() if not outer.is_empty() else null
	if found > 0:
		print("READ waiting functions ", found)
