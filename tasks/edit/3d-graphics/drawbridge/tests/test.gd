extends RefCounted
# The bridge goes through its states as asked, moved by an AnimationTree; the calls come when they should.
# Most of it is tried with the drawbridge alone, where no cart gets in the way.

const BRIDGE = "res://scenes/drawbridge.tscn"
const STATES = ["raised", "lowering", "lowered", "raising", "shaking"]
const UP = -80.0
const SCRIPTS = {
	"drawbridge.gd": "5c2424f936be9a02c7cf0ff0b8393b06",
	"cart.gd": "87af117314ca21b783a281a43dbbb64c",
	"main.gd": "00dbe517aaad6bc6a3d15750cddee985",
	"squire.gd": "b73b3d0e65f67087ab9f4c6c2bfed072",
}


func test_the_tree(t):
	var bridge = await t.open(BRIDGE)
	var tree = t.the("AnimationTree")
	var player = t.the("AnimationPlayer")
	if not t.check("there is one tree and one player", tree != null and player != null, "the drawbridge needs exactly one AnimationTree and its AnimationPlayer"):
		return
	t.equal("the tree is active", tree.active, true)
	t.check("the tree uses the player", tree.get_node_or_null(tree.anim_player) == player, "anim_player is %s" % tree.anim_player)
	t.check("the drawbridge knows its tree", bridge.tree == tree, "its property tree is %s" % bridge.tree)
	var machine = tree.tree_root
	if not t.check("its root is a state machine", t.is_a(machine, "AnimationNodeStateMachine"), "tree_root is %s" % machine):
		return
	var plays = STATES.map(func(state): return str(machine.get_node(state).get("animation")) if machine.has_node(state) else "no such state")
	t.equal("each state plays the animation of its name", plays, STATES)
	var fades = range(machine.get_transition_count()).map(func(index): return machine.get_transition(index).xfade_time)
	t.check("nothing is faded", fades.all(func(fade): return fade == 0.0), "the fades of the transitions are %s s" % [fades])


func test_coming_down(t):
	var bridge = await _bridge(t)
	await t.seconds(0.5)
	t.equal("it begins raised", [_state(t), roundi(_angle(bridge))], ["raised", UP as int])
	var opened = t.watch(bridge, "opened")
	var closed = t.watch(bridge, "closed")
	bridge.pull()
	if not t.check("the bridge comes down", await t.until(func(): return _state(t) == "lowering", 0.2), "0.2 s after the lever was pulled its state is %s" % _state(t)):
		return
	var seen = await _moving(t, "lowering", func(): return opened.count)
	t.near("coming down takes its time", seen.seconds, 1.6, 0.08)
	t.near("the way is opened at the asked time", seen.called, t.parameter("open"), 0.08)
	t.equal("then it is lowered", _state(t), "lowered")
	await t.seconds(2.5)
	t.equal("it stays down", [_state(t), absf(_angle(bridge)) < 0.5], ["lowered", true])
	t.equal("the way is opened once", [opened.count, closed.count, bridge.way_open], [1, 0, true])


func test_going_up(t):
	var bridge = await _down(t)
	var opened = t.watch(bridge, "opened")
	var closed = t.watch(bridge, "closed")
	bridge.pull()
	if not t.check("an empty bridge goes up", await t.until(func(): return _state(t) == "raising", 0.2), "0.2 s after the lever was pulled its state is %s" % _state(t)):
		return
	var seen = await _moving(t, "raising", func(): return closed.count)
	t.near("going up takes its time", seen.seconds, t.parameter("raise"), 0.08)
	t.near("the way is closed at the asked time", seen.called, 0.1, 0.06)
	var off = range(seen.angles.size()).map(func(index): return absf(seen.angles[index] - UP * minf((index + 1) / 60.0 / t.parameter("raise"), 1.0)))
	t.check("it goes up evenly", off.size() > 10 and off.max() < 4.0, "it is up to %.0f degrees from where it should be" % off.max())
	var last = seen.angles[-1]
	t.equal("then it is raised", _state(t), "raised")
	t.check("it does not jump when it has arrived", absf(last - UP) < 4.0, "raising ends at %.0f degrees, raised stands at %.0f" % [last, UP])
	await t.seconds(t.parameter("raise") + 1.5)
	t.equal("it stays up", [_state(t), roundi(_angle(bridge))], ["raised", UP as int])
	t.equal("the way is closed once", [closed.count, opened.count, bridge.way_open], [1, 0, false])


func test_a_load(t):
	var bridge = await _down(t)
	var load = t.make("AnimatableBody3D", {"collision_layer": 2, "position": Vector3(0, 1, 3)})
	load.add_child(t.make("CollisionShape3D", {"shape": t.make("BoxShape3D")}))
	bridge.add_child(load)
	await t.physics(5)
	var closed = t.watch(bridge, "closed")
	var refused = t.watch(bridge, "refused")
	bridge.pull()
	t.check("a loaded bridge shakes", await t.until(func(): return _state(t) == "shaking", 0.2), "0.2 s after the lever was pulled its state is %s" % _state(t))
	var seen = await _moving(t, "shaking", func(): return refused.count)
	t.near("shaking takes its time", seen.seconds, 0.6, 0.08)
	t.check("it shakes without going up", seen.angles.min() > -6.0 and seen.angles.min() < -2.0, "it got to %.1f degrees" % seen.angles.min())
	await t.seconds(1.0)
	t.equal("after shaking it lies as before", [_state(t), refused.count, closed.count], ["lowered", 1, 0])
	load.position = Vector3(0, 1, 30)
	await t.seconds(0.5)
	t.equal("when the load is gone it still waits for the lever", _state(t), "lowered")
	bridge.pull()
	await t.seconds(0.3)
	t.equal("without the load it goes up", _state(t), "raising")


func test_a_second_pull(t):
	var bridge = await _bridge(t)
	await t.seconds(0.2)
	bridge.pull()
	await t.seconds(0.6)
	bridge.pull()
	var waits = true
	for step in 50:
		await t.physics(1)
		waits = waits and _state(t) == "lowering"
	t.check("whoever pulls while it moves has to wait", waits, "0.6 s after it began to come down a second pull changed the state to %s" % _state(t))
	t.check("then the second pull counts", await t.until(func(): return _state(t) == "raising", 0.6), "its state is %s" % _state(t))
	await t.seconds(0.5)
	bridge.pull()
	await t.seconds(t.parameter("raise") - 0.8)
	t.equal("the same on the way up", _state(t), "raising")
	t.check("and down again", await t.until(func(): return _state(t) == "lowering", 0.8), "its state is %s" % _state(t))


func test_the_game(t):
	var main = await t.open()
	var bridge = t.the("Node3D", null, {"method": "open_way"})
	var cart = t.the("AnimatableBody3D")
	await t.seconds(2.5)
	t.check("the cart waits at the moat", cart.position.z > 8.0, "it is at z = %.1f although the bridge is up" % cart.position.z)
	await t.tap("pull_lever")
	t.check("the lever lowers the bridge", await t.until(func(): return bridge.way_open, 3.0), "3 s after the lever was pulled the way is closed")
	t.check("the cart drives over", await t.until(func(): return cart.position.z < -2.0, 9.0), "it is at z = %.1f" % cart.position.z)
	await t.tap("pull_lever")
	await t.seconds(t.parameter("raise") + 0.5)
	t.check("the lever raises the bridge", absf(_angle(bridge) - UP) < 1.0, "the hinge stands at %.0f degrees" % _angle(bridge))
	var flag = t.the("AnimationPlayer", main.get_node("Flag"))
	t.check("the flag still waves", flag != null and flag.is_playing(), "its AnimationPlayer does not play")


func test_the_rest(t):
	var bridge = t.still(BRIDGE)
	var player = t.the("AnimationPlayer", bridge)
	var lengths = ["raised", "lowering", "lowered", "shaking"].map(
			func(name): return snappedf(t.animation(player, name).length, 0.001) if t.animation(player, name) != null else -1.0)
	t.equal("the other animations are as they were", lengths, [1.0, 1.6, 1.0, 0.6])
	t.check("what lowering moves is as it was", _same(t.keys(t.animation(player, "lowering"), "rotation:x"),
			[[0.0, -1.39626], [1.3, 0.0], [1.45, -0.05], [1.6, 0.0]]), "the keys of the hinge in lowering were changed")
	var raising = t.animation(player, "raising")
	t.check("raising is long as asked and does not loop", raising != null and absf(raising.length - t.parameter("raise")) < 0.01
			and raising.loop_mode == Animation.LOOP_NONE, "it is %s" % ["missing" if raising == null else "%s s long, loop mode %d" % [raising.length, raising.loop_mode]])
	var changed = SCRIPTS.keys().filter(func(name): return t.text_of("res://scripts/" + name).strip_edges().md5_text() != SCRIPTS[name])
	t.check("the scripts are as they were", changed.is_empty(), "changed: %s" % ", ".join(changed))


# --- the bridge ---

func _bridge(t):
	var bridge = await t.open(BRIDGE)
	await t.physics(5)
	return bridge


# A bridge that was lowered and has come to rest.
func _down(t):
	var bridge = await _bridge(t)
	bridge.pull()
	await t.until(func(): return _state(t) == "lowered", 4.0)
	await t.seconds(0.3)
	return bridge


func _state(t):
	var tree = t.the("AnimationTree")
	var playback = tree.get("parameters/playback") if tree != null else null
	return str(playback.get_current_node()) if t.is_a(playback, "AnimationNodeStateMachinePlayback") else "none, as there is no state machine"


func _angle(bridge):
	return rad_to_deg(bridge.get_node("Hinge").rotation.x)


# Watches a state until it is left: how long it took, the angle in each frame, and when the counter first changed.
func _moving(t, state, counter):
	var bridge = t.the("Node3D", null, {"method": "open_way"})
	var seen = {"seconds": 0.0, "angles": [_angle(bridge)], "called": -1.0}
	var before = counter.call()
	for step in 400:
		if _state(t) != state:
			break
		seen.angles.append(_angle(bridge))
		await t.physics(1)
		seen.seconds = (step + 1) / 60.0
		if seen.called < 0.0 and counter.call() != before:
			seen.called = seen.seconds
	return seen


func _same(keys, expected):
	return keys.size() == expected.size() and range(keys.size()).all(
			func(index): return absf(keys[index][0] - expected[index][0]) < 0.01 and absf(keys[index][1] - expected[index][1]) < 0.01)
