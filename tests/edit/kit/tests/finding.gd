extends RefCounted


func test_nodes(t):
	var room = await t.open()
	t.check("the main scene runs", room.is_inside_tree() and room == t.the("TinyRoom"))
	t.equal("by type", t.all("CanvasItem").size(), 7)
	t.equal("by type and place", t.all("CanvasItem", t.the("Button")).size(), 1)
	t.equal("by condition", t.all("Node2D", null, func(node): return node.position.x > 1000).map(func(node): return node.name), [&"Far"])
	t.exists("the only one", t.the("Button"), "there is no button")
	t.check("none of several", t.the("Node2D") == null and t.the("Timer") == null)
	t.equal("by name", t.role(["door", "gate"]).name, &"Door")
	t.equal("by group", t.role(["EXIT"]).name, &"Door")
	t.equal("by script", t.role(["room.gd"]).name, &"Room")
	t.check("not by type alone", t.role(["door"], "Button") == null)
	t.check("a global class", t.is_a(room, "TinyRoom") and t.is_a(room, "Node2D") and not t.is_a(room, "Control") and not t.is_a(null, "Node"))


func test_resources(t):
	t.check("what is not there is null", t.resource("res://none.tres") == null and t.still("res://none.tscn") == null and t.text_of("res://none.gd") == "")
	var still = t.still("res://main.tscn")
	t.check("a still scene does not run", not still.is_inside_tree() and still.ticks == 0)
	t.check("the text of a file", t.text_of("res://room.gd").begins_with("class_name TinyRoom"))
	t.equal("a parameter", t.parameter("wanted"), 3)
	t.check("no parameter", t.parameter("unheard") == null)
	t.check("no scene is open before it is opened", t.all("Node").is_empty())
