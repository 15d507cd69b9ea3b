extends Node
# Nothing tells how the game stands: labels, bars and the panels they stand on are not drawn. Buttons stay, with their
# captions, so that the game can still be played.


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	process_priority = 10000


func _process(_delta: float) -> void:
	_hide_in(get_tree().root)


func _hide_in(node: Node) -> void:
	if node is BaseButton:
		return
	if node is Label or node is RichTextLabel or node is Range:
		node.self_modulate.a = 0.0
	elif (node is Panel or node is PanelContainer) and not _holds_a_button(node):
		# Not by `modulate`, which games fade: their tweens run after us.
		RenderingServer.canvas_item_set_visible(node.get_canvas_item(), false)
	for child in node.get_children():
		_hide_in(child)


func _holds_a_button(node: Node) -> bool:
	for child in node.get_children():
		if child is BaseButton or _holds_a_button(child):
			return true
	return false
