extends StaticBody3D
## The crate that is to be found.


func _ready() -> void:
	var mesh: MeshInstance3D = find_children("*", "MeshInstance3D")[0]
	var marked: StandardMaterial3D = mesh.get_active_material(0).duplicate()
	marked.albedo_color = Color("#f2c230")
	marked.metallic = 0.3
	mesh.set_surface_override_material(0, marked)
