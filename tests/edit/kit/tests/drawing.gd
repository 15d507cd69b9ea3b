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


func test_drawing_is_saved_while_nobody_looks(t):
	await t.open()
	var drawings = _counter(t)
	await t.frames(30)
	t.between("every sixth frame is drawn", drawings.drawn, 4, 6)
	t.free_now(drawings)
	var listener = t.watch(t.engine("RenderingServer"), "frame_post_draw")
	await t.frames(30)
	t.between("every frame for a project that listens", listener.count, 29, 31)


func test_what_comes_into_view(t):
	await t.open()
	var notifier = t.make("VisibleOnScreenNotifier2D", {"position": Vector2(640, 360)})
	var entered = t.watch(notifier, "screen_entered")
	t.the("ColorRect").add_sibling(notifier)
	await t.frames(2)
	t.equal("what comes into view is told at once", entered.count, 1)


# Particles listen to the drawing too; theirs is not a reason to draw more.
func _counter(t):
	var script = t.make("GDScript", {"source_code": "extends CPUParticles2D\nvar drawn := 0\n"
			+ "func _init() -> void:\n\tRenderingServer.frame_post_draw.connect(func() -> void: drawn += 1)\n"})
	script.reload()
	return script.call("new")
