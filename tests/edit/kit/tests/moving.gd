extends RefCounted


func test_time(t):
	var room = await t.open()
	var before = room.ticks
	await t.physics(10)
	t.equal("ten steps are ten steps", room.ticks - before, 10)
	await t.seconds(0.5)
	t.equal("half a second is thirty steps", room.ticks - before, 40)
	before = room.ticks
	t.check("until it happens", await t.until(func(): return room.ticks >= before + 5, 1.0))
	t.between("and not longer", room.ticks - before, 5, 6)
	t.check("until it is too late", not await t.until(func(): return false, 0.2))
	var began = t.frame()
	await t.frames(7)
	t.between("frames, the rest of this one included", t.frame() - began, 6, 7)


func test_input(t):
	var room = await t.open()
	await t.tap("jump", 3)
	t.equal("a tap is one press", room.jumps, 1)
	t.between("held for its steps", room.held_ticks, 3, 4)
	t.press("jump")
	await t.physics(10)
	t.check("held until released", t.engine("Input").is_action_pressed("jump"))
	t.release("jump")
	await t.frames(1)
	t.check("then no more", not t.engine("Input").is_action_pressed("jump"))
	await t.key(KEY_K)
	t.equal("a key", room.keys_hit, 1)
	await t.click(Vector2(110, 110))
	t.equal("a click", room.rings, 1)
	await t.click_on(t.the("Button"))
	t.equal("a click on a control", room.rings, 2)
	await t.click(Vector2(600, 600))
	t.equal("a click beside it", room.rings, 2)
	t.press("jump")


func test_what_is_held_is_let_go_afterwards(t):
	t.check("nothing is held", not t.engine("Input").is_action_pressed("jump"))


func test_signals(t):
	var room = await t.open()
	var heard = t.watch(room, "rung")
	t.check("not heard yet", heard.count == 0 and heard.last() == [])
	await t.click_on(t.the("Button"))
	await t.click_on(t.the("Button"))
	t.equal("each emission", heard.emissions, [[1, "hand"], [2, "hand"]])
	t.equal("the last", heard.last(), [2, "hand"])
	t.check("no such signal", t.watch(room, "sung") == null and t.watch(null, "rung") == null)
	var bell = t.the("Button")
	t.check("connected", t.is_connected_to(bell, "pressed") and t.is_connected_to(bell, "pressed", room, &"_on_bell_pressed"))
	t.check("not connected", not t.is_connected_to(bell, "pressed", bell) and not t.is_connected_to(bell, "toggled") and not t.is_connected_to(null, "x"))
