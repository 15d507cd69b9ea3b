# Attacks: the replayer. Frees every node below the root but itself, in _ready and at frame 10,
# and pauses the tree and takes all input.
extends Node2D

var frame: int = 0


func _ready() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	_free_others()


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()
	if frame == 10:
		_free_others()
	if frame == 20:
		get_tree().paused = true
	if frame == 25:
		for info: Dictionary in get_tree().process_frame.get_connections():
			var callable: Callable = info["callable"]
			print("ATTACK disconnect process_frame %s" % callable)
			get_tree().process_frame.disconnect(callable)
		for info: Dictionary in RenderingServer.frame_post_draw.get_connections():
			var callable: Callable = info["callable"]
			print("ATTACK disconnect frame_post_draw %s" % callable)
			RenderingServer.frame_post_draw.disconnect(callable)


func _input(_event: InputEvent) -> void:
	get_viewport().set_input_as_handled()


func _free_others() -> void:
	for node: Node in get_tree().root.get_children(true):
		if node == self:
			continue
		print("ATTACK free %s %s" % [node.name, node.get_class()])
		node.set_script(null)
		# A node that is blocked at this moment cannot be freed at once.
		node.queue_free()
	for node: Node in get_tree().root.get_children(true):
		if node != self and frame > 0:
			node.free()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
