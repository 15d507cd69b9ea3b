extends RefCounted


func test_pixels(t):
	await t.open()
	t.check("there is something to look at", t.can_draw())
	var before = await t.picture()
	t.equal("the whole picture", before.get_size(), Vector2i(1280, 720))
	t.near("a pixel", await t.pixel(Vector2(450, 250)), Color.RED, 0.02)
	t.near("all of it is red", t.share(before, Rect2(400, 200, 100, 100), Color.RED), 1.0, 0.001)
	t.near("half of it is red", t.share(before, Rect2(400, 150, 100, 100), Color.RED), 0.5, 0.001)
	t.equal("nothing changed", t.difference(before, await t.picture(), Rect2(0, 0, 1280, 720)), 0.0)
	t.the("ColorRect").color = Color.BLUE
	var after = await t.picture()
	t.near("a change is drawn at once", t.difference(before, after, Rect2(400, 200, 200, 100)), 0.5, 0.001)
	t.equal("outside of the picture is nothing", t.share(after, Rect2(2000, 0, 10, 10), Color.RED), 0.0)
