extends RefCounted
# The ranger has a second animation of the asked pictures and plays it; the first one is untouched.


func test_the_animation(t):
	await t.open()
	var body = t.the("AnimatedSprite2D")
	if not t.exists("the ranger has one animated sprite", body, "none, or more than one, in the main scene"):
		return
	var frames = body.sprite_frames
	var name = t.parameter("animation")
	if not t.check("the animation is there", frames != null and frames.has_animation(name), "no animation named " + name):
		return
	var pictures = _pictures(frames, name)
	var expected = range(int(t.parameter("count"))).map(func(n): return "%s%d.png" % [t.parameter("first"), n])
	t.equal("the frames are the asked pictures in order", pictures, expected)
	t.near("it has the asked speed", frames.get_animation_speed(name), t.parameter("fps"), 0.01)
	t.check("it loops", frames.get_animation_loop(name), "it stops after the last frame")
	var durations = range(frames.get_frame_count(name)).map(func(n): return frames.get_frame_duration(name, n))
	t.check("its frames last equally long", durations.min() == durations.max(), "durations are %s" % [durations])


func test_what_is_seen(t):
	await t.open()
	var body = t.the("AnimatedSprite2D")
	t.check("the ranger starts with it", body.is_playing() and body.animation == t.parameter("animation"),
			"it plays %s" % [body.animation if body.is_playing() else "nothing"])
	var seen = {}
	for step in 60:
		seen[body.frame] = true
		await t.frames(1)
	t.equal("all frames are shown in a second", seen.size(), int(t.parameter("count")))
	t.check("the ranger is in the picture", t.sees(body), "the sprite is outside the picture")


func test_the_rest(t):
	await t.open()
	var frames = t.the("AnimatedSprite2D").sprite_frames
	t.equal("idle is as it was", _pictures(frames, "idle"), ["femaleAdventurer_idle.png"])
	t.equal("bush and sign are still there", t.all("Sprite2D").size(), 2)
	var ranger = t.the("CharacterBody2D")
	t.near("the ranger stands where she stood", ranger.global_position, Vector2(600, 528), 1.0)


func _pictures(frames, name):
	if not frames.has_animation(name):
		return []
	return range(frames.get_frame_count(name)).map(
			func(n): return frames.get_frame_texture(name, n).resource_path.get_file())
