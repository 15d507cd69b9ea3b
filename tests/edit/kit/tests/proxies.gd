extends RefCounted
# Objects of the project, which live in another process.


func test_objects(t):
	var room = await t.open()
	t.check("one proxy for each object", room == t.the("TinyRoom") and t.the("Button").get_parent() == room and room in [t.the("TinyRoom")])
	t.check("null is null", room.get_node_or_null("Nowhere") == null and t.the("Button").icon == null)
	var made = t.make("Sprite2D", {"position": Vector2(7, 8)})
	room.add_child(made)
	t.equal("what is made is in the project", t.all("Sprite2D").size(), 2)
	made.position.x += 5.0
	t.equal("a part of a property is set", made.position, Vector2(12, 8))
	t.equal("lists hold objects", room.get_children().has(made), true)
	t.free_now(made)
	t.check("what is freed is told from what is there", not t.alive(made) and made != null and t.alive(room) and not t.alive(null))
	t.equal("methods of every object are forwarded", [room.get_class(), room.has_method("_on_bell_pressed"), room.get("rings")], ["Node2D", true, 0])
	room.emit_signal("rung", 3, "test")
	t.check("a singleton is the project's", t.engine("Engine").get_main_loop().current_scene == room)


func test_files(t):
	t.write("user://note.txt", "hello")
	t.equal("a file is written and read", [t.has_file("user://note.txt"), t.text_of("user://note.txt")], [true, "hello"])
	t.remove("user://note.txt")
	t.equal("and removed", t.has_file("user://note.txt"), false)


func test_following(t):
	var room = await t.open()
	var ticks = (await t.record(5, [[room, "ticks"], [room, "is_inside_tree"]]))
	t.equal("each tick is recorded", ticks.map(func(row): return row[0] - ticks[0][0]), [0, 1, 2, 3, 4])
	t.equal("methods too", ticks[4][1], true)
	var heard = t.watch(room, "rung", [[room, "rings"]])
	room.rings = 6
	await t.click_on(t.the("Button"))
	room.rings = 1
	t.equal("what was true when a signal came", heard.samples, [[7]])


func test_a_property_that_is_not_there(t):
	var room = await t.open()
	t.check("before the property", true)
	room.doors = 3
	t.check("behind the property", true)


func test_a_method_that_is_not_there(t):
	var room = await t.open()
	room.open_the_door()
	t.check("behind the method", true)


func test_something_of_the_test(t):
	var room = await t.open()
	room.add_child(Node.new())
	t.check("behind what cannot be handed over", true)


func test_nan(t):
	t.check("nothing is near to no number", not t.near("nan", Vector2(NAN, 1), Vector2(0, 1), 9.0))
