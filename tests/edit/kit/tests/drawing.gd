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
	var drawings = _counter()
	RenderingServer.frame_post_draw.connect(drawings.note)
	await t.frames(30)
	t.between("every sixth frame is drawn", drawings.count, 4, 6)
	drawings.free()
	var count = [0]
	var listener = func(): count[0] += 1
	RenderingServer.frame_post_draw.connect(listener)
	await t.frames(30)
	RenderingServer.frame_post_draw.disconnect(listener)
	t.between("every frame for a project that listens", count[0], 29, 31)
	var notifier = VisibleOnScreenNotifier2D.new()
	notifier.position = Vector2(640, 360)
	var entered = t.watch(notifier, "screen_entered")
	t.the("ColorRect").add_sibling(notifier)
	await t.frames(2)
	t.equal("what comes into view is told at once", entered.count, 1)
	notifier.free()


# Particles listen to the drawing too; theirs is not a reason to draw more.
func _counter():
	var script = GDScript.new()
	script.source_code = "extends CPUParticles2D\nvar count := 0\nfunc note() -> void:\n\tcount += 1\n"
	script.reload()
	return script.new()
