extends RefCounted
# The alien jumps so many times before it lands, each time equally fast, and everything else is as it was.

const JUMP_VELOCITY := -620.0


func test_jumps(t):
	var alien = await _alien(t)
	if not t.exists("there is one alien", alien, "no CharacterBody2D with the signal jumped, or more than one, in the main scene"):
		return
	var times = int(t.parameter("times"))
	var jumped = t.watch(alien, "jumped")
	var speeds = []
	for number in times:
		speeds.append(await _jump(t, alien))
		await t.seconds(0.3 if number % 2 == 0 else 0.6)
	t.check("each jump throws it up equally fast", speeds.all(func(speed): return absf(speed - JUMP_VELOCITY) < 60.0),
			"the vertical velocities after the presses are %s, expected about %s each" % [speeds, JUMP_VELOCITY])
	t.equal("each jump is signalled", jumped.count, times)
	t.check("all of this was in the air", not alien.is_on_floor(), "the alien is on the ground already")
	var before = alien.velocity.y
	var after = await _jump(t, alien)
	await _jump(t, alien)
	t.check("no further jump before it lands", after >= before and jumped.count == times,
			"after %d jumps another press changed the velocity from %s to %s, %d jumps were signalled" % [times, before, after, jumped.count])


func test_landing(t):
	var alien = await _alien(t)
	var times = int(t.parameter("times"))
	var jumped = t.watch(alien, "jumped")
	for number in times + 1:
		await _jump(t, alien)
		await t.seconds(0.1)
	await t.until(func(): return alien.is_on_floor(), 3.0)
	await t.physics(5)
	var first = jumped.count
	for number in times + 1:
		await _jump(t, alien)
		await t.seconds(0.1)
	t.equal("landing gives the jumps back", [first, jumped.count - first], [times, times])


func test_the_edge(t):
	var alien = await _alien(t)
	var times = int(t.parameter("times"))
	alien.global_position = Vector2(800, 220)
	alien.velocity = Vector2.ZERO
	await t.seconds(0.5)
	var jumped = t.watch(alien, "jumped")
	t.press("move_right")
	var left = await t.until(func(): return not alien.is_on_floor(), 2.0)
	await t.physics(8)
	t.release("move_right")
	t.check("it walks off the platform", left and alien.velocity.y > 0.0, "it is still on the high platform after two seconds")
	for number in times + 1:
		await _jump(t, alien)
		await t.seconds(0.1)
	t.equal("off an edge only the jumps in the air remain", jumped.count, times - 1)


func test_a_held_button(t):
	var alien = await _alien(t)
	var jumped = t.watch(alien, "jumped")
	var ground = alien.global_position.y
	var top = [ground]
	t.press("jump")
	for step in 54:
		await t.physics(1)
		top[0] = minf(top[0], alien.global_position.y)
	t.release("jump")
	t.equal("holding the button jumps once", jumped.count, 1)
	t.near("the jump from the ground is as high as it was", ground - top[0], 137.0, 8.0)


func test_the_rest(t):
	var alien = await _alien(t)
	var from = alien.global_position.x
	t.press("move_right")
	await t.seconds(0.5)
	t.release("move_right")
	t.near("it walks as fast as before", alien.global_position.x - from, 160.0, 12.0)
	await t.physics(2)
	alien.global_position = Vector2(1000, 300)
	alien.velocity = Vector2.ZERO
	await t.seconds(0.5)
	t.near("it falls as fast as before", alien.velocity.y, 700.0, 40.0)
	t.equal("the three stars are there", t.all("Area2D").size(), 3)
	alien.global_position = Vector2(850, 220)
	await t.physics(4)
	t.equal("a star is counted when the alien touches it", [t.all("Area2D").size(), t.role(["Count"], "Label").text], [2, "Stars: 1"])


func _alien(t):
	await t.open()
	var alien = t.the("CharacterBody2D", null, {"signal": "jumped"})
	if alien != null:
		await t.until(func(): return alien.is_on_floor(), 2.0)
		await t.physics(3)
	return alien


# Presses the button anew; the vertical velocity right after.
func _jump(t, alien):
	t.press("jump")
	await t.physics(2)
	var speed = alien.velocity.y
	t.release("jump")
	await t.physics(2)
	return speed
