extends RefCounted
# One crate is drawn with a material of its own; nothing that the others share has changed.

const PLACES = {
	"CrateA": Vector3(-2.7, 0.5, -1.2), "CrateB": Vector3(-1.3, 0.5, -1.6), "CrateC": Vector3(0.1, 0.5, -1.0),
	"CrateD": Vector3(1.6, 0.5, -1.6), "CrateE": Vector3(1.5, 1.5, -1.6), "CrateF": Vector3(3.0, 0.5, -1.0),
}


func test_the_marked_crate(t):
	await t.open()
	await t.frames(5)
	var material = _drawn_with(t, _crate(t, t.parameter("crate")))
	if not t.check("the marked crate is drawn with a standard material", t.is_a(material, "StandardMaterial3D"),
			"the crate %s, its mesh, or a StandardMaterial3D on it was not found" % t.parameter("crate")):
		return
	t.near("the marked crate has the asked colour", material.albedo_color, Color(t.parameter("colour")), 0.01)
	t.near("the marked crate has the asked metallic value", material.metallic, t.parameter("metallic"), 0.005)
	t.equal("the marked crate still shows the picture of a crate", _picture(material), "res://art/boxCrate.png")
	t.near("the picture is repeated as on the other crates", material.uv1_scale, Vector3(3, 2, 1), 0.01)


func test_the_other_crates(t):
	await t.open()
	await t.frames(5)
	for name in PLACES:
		if name != t.parameter("crate"):
			t.equal("the other crates look as before", _look(t, _drawn_with(t, _crate(t, name))), _plain())
	var crate = t.still("res://scenes/crate.tscn")
	if not t.exists("the crate's scene can be opened", crate, "res://scenes/crate.tscn cannot be instanced"):
		return
	_crates(t).add_child(crate)
	await t.frames(3)
	t.equal("a crate that is added later looks as before", _look(t, _drawn_with(t, crate)), _plain())
	t.equal("the shared material is as it was", _look(t, t.resource("res://materials/crate.tres")), _plain())


func test_the_rest(t):
	await t.open()
	t.equal("no crate was added or removed", t.all("StaticBody3D").size(), PLACES.size())
	for name in PLACES:
		var crate = _crate(t, name)
		t.check("all crates are where they were", crate != null and t.distance(crate.global_position, PLACES[name]) < 0.02,
				"%s is %s, expected at %s" % [name, crate.global_position if crate != null else "missing", PLACES[name]])
	t.check("every crate has its collision shape", t.all("CollisionShape3D").size() == 6, "there are not six shapes")
	t.check("lamp, moon and watchman are still there", t.the("OmniLight3D") != null
			and t.the("DirectionalLight3D") != null and t.the("Sprite3D") != null, "one of them is gone")


func _crates(t):
	return t.all("StaticBody3D")[0].get_parent()


func _crate(t, name):
	return t.the("StaticBody3D", null, {"name": name})


func _drawn_with(t, crate):
	var meshes = t.all("MeshInstance3D", crate) if crate != null else []
	return meshes[0].get_active_material(0) if meshes.size() == 1 and meshes[0].is_visible_in_tree() else null


func _picture(material):
	return material.albedo_texture.resource_path if material.albedo_texture != null else "no picture"


func _plain():
	return [Color.WHITE, 0.0, "res://art/boxCrate.png", Vector3(3, 2, 1)]


func _look(t, material):
	if not t.is_a(material, "StandardMaterial3D"):
		return "no StandardMaterial3D"
	return [material.albedo_color, material.metallic, _picture(material), material.uv1_scale]
