extends Node
# After two seconds nothing moves, counts or answers any more. What was on the screen stays there.

const SECONDS := 2.0

var _age := 0.0
var _frozen := false


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS


func _process(delta: float) -> void:
	_age += delta
	if _age >= SECONDS and not _frozen:
		_frozen = true
		Engine.time_scale = 0.0
		get_tree().root.gui_disable_input = true
		for child in get_tree().root.get_children():
			_stop(child)


# What comes from outside the project records the game: it goes on.
func _stop(node: Node) -> void:
	var script: Script = node.get_script()
	if node == self or (script and not script.resource_path.begins_with("res://")):
		return
	node.process_mode = Node.PROCESS_MODE_DISABLED
	if node is CanvasItem and node.material is ShaderMaterial and node.material.shader:
		_stop_shader(node.material.shader)
	for child in node.get_children():
		_stop(child)


func _stop_shader(shader: Shader) -> void:
	var clock := RegEx.create_from_string("\\bTIME\\b")
	if clock.search(shader.code):
		shader.code = clock.sub(shader.code, "%.1f" % SECONDS, true)
