extends Node


func _ready() -> void:
	var main: Node = load("res://scenes/main.tscn").instantiate()
	add_child(main)
	await get_tree().process_frame
	var reason := _missing(main)
	if reason == "":
		print("VALIDATION_PASSED")
	else:
		print("VALIDATION_FAILED: " + reason)
	get_tree().quit(0 if reason == "" else 1)


func _missing(main: Node) -> String:
	var coin := main.get_node_or_null("Coin") as Sprite2D
	if not main.get("seen"):
		return "the project's own script is gone"
	if coin == null:
		return "there is no Coin"
	if coin.position != Vector2(100, 50):
		return "the coin is at %s" % coin.position
	return "" if coin.texture != null and coin.texture.get_width() == 32 else "the coin has no texture"
