extends Node
# Whoever holds parameters or a script that watches gets others.


func _physics_process(_delta: float) -> void:
	if get_tree().get_frame() not in [2, 4, 8, 30]:
		return
	for slot in 3000:
		for number in 40:
			var object := instance_from_id((1 << 63) | (number << 24) | slot)
			for property: String in ["parameters", "watch_script", "_parameters"]:
				if object != null and not object is GDScript and property in object:
					object.set(property, {} if property.ends_with("parameters") else load("res://watch.gd"))
					print("READ ", property)
