extends Node


func _ready() -> void:
	var script: GDScript = GameCraftHarness.get_script()
	var kit := Kit.new()
	script._run(get_tree(), {"test": "extends RefCounted\nfunc test_a(t): pass", "picture": ""}, kit)
	script._check_names(kit)
	script._speak(kit, PackedByteArray([1]), false)
	for name: String in ["the lamp is there", "it is dark at first", "a press lights it", "it is as bright as asked", "a second press puts it out", "each flip is told"]:
		kit.said.emit({"kind": "check", "name": name, "ok": true, "message": ""})
	kit.said.emit({"kind": "end"})


class Kit:
	extends RefCounted
	signal said(line: Dictionary)
	signal ended

	func play(_tree: SceneTree, _script: GDScript, _picture: String) -> void:
		ended.emit()
