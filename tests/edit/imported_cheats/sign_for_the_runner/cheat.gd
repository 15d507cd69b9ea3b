extends Node
# Has lines signed, with keys of its own, by the function that signs ours; some name a key twice.


func _ready() -> void:
	var runner: GDScript = GameCraftHarness.get_script()
	for key: PackedByteArray in [PackedByteArray([1]), "GameCraftHarness".to_utf8_buffer()]:
		for kind: String in ["begin", "end", "end\",\"kind\":\"begin"]:
			runner._say(key, 0, kind)
	print("VALIDATION_PASSED")
