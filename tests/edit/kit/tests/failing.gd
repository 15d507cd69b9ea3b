extends RefCounted


func test_messages(t):
	var room = await t.open()
	t.check("plain", false, "the door is shut")
	t.equal("equal", 3, 4)
	t.equal("kind", "3", 3)
	t.equal("nothing", null, 3)
	t.equal("node", t.the("Button"), 3)
	t.near("near", Vector2(1, 2), Vector2(1, 3), 0.5)
	t.between("between", 7, 1.0, 2.5)
	t.exists("exists", t.the("Timer"), "there is no timer")
	t.exists("freed", _freed(t), "it was freed")
	t.check("long", false, "x".repeat(100000))
	t.check("twice", true)
	t.check("twice", false, "the second time")
	t.check("again", false, "the first time")
	t.check("again", true)


func test_breaks_off(t):
	t.check("before", true)
	var room = null
	room.open_the_door()
	t.check("behind", true)


func test_goes_on(t):
	if t.check("holds", true):
		return
	t.check("left out", true)


func _freed(t):
	var node = t.make("Node")
	t.free_now(node)
	return node
