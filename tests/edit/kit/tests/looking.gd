extends RefCounted


func test_the_camera(t):
	await t.open()
	t.equal("place of a sprite", t.place_of(t.role(["door"])), Vector2(640, 360))
	t.near("place of a box", t.place_of(t.role(["box"], "Node3D")), Vector2(640, 360), 1.0)
	t.equal("behind the camera", t.place_of(t.role(["behind"])), Vector2(-1, -1))
	t.check("seen", t.sees(t.role(["door"])) and t.sees(t.role(["box"], "Node3D")))
	t.check("not seen", not t.sees(t.role(["far"])) and not t.sees(t.role(["hidden"])) and not t.sees(t.role(["behind"])))


func test_animation(t):
	await t.open()
	var swing = t.animation(t.the("AnimationPlayer"), "swing")
	t.exists("an animation", swing, "no animation swing")
	t.check("none", t.animation(t.the("AnimationPlayer"), "sway") == null and t.animation(null, "swing") == null)
	t.equal("keys of a property", t.keys(swing, "rotation"), [[0.0, 0.0], [1.5, 1.25]])
	t.check("no keys", t.keys(swing, "scale").is_empty() and t.keys(null, "rotation").is_empty())
	var frames = t.the("AnimatedSprite2D").sprite_frames
	t.equal("pieces of a sheet", t.regions(frames, "walk"), [Rect2(0, 0, 32, 32), Rect2(32, 0, 32, 32), Rect2(0, 0, 64, 32)])
	t.check("no pieces", t.regions(frames, "run").is_empty() and t.regions(null, "walk").is_empty())
