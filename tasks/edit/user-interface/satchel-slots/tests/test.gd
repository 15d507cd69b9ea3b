extends RefCounted
# Slots are filled, things are dragged with the mouse as a player drags them, and slots and signals are compared with the rules.


func test_to_an_empty_slot(t):
	await t.open()
	if not t.equal("all slots are there", t.all("Slot").size(), 23):
		return
	var one = _slot(t, "Satchel2")
	var other = _slot(t, "Chest3")
	var heard = _listen(t, one, other)
	var seen = await _drag(t, one, other)
	t.check("while it is dragged no slot changes", _holds(seen.from, "gem", 3) and _holds(seen.to, "", 0),
			"in the middle of the drag the slots held %s and %s" % [_told(seen.from), _told(seen.to)])
	t.check("the item's picture follows the pointer", seen.preview, "no TextureRect with the picture of the gem near the pointer")
	t.check("a stack moves to an empty slot", _holds(_of(one), "", 0) and _holds(_of(other), "gem", 3), _state(one, other))
	t.check("each slot tells of its change once", heard.one.count == 1 and heard.other.count == 1,
			"the slot it came from told %d times, the slot it came to %d times" % [heard.one.count, heard.other.count])
	t.equal("the screen tells what moved", _moves(heard), [["gem", 3, "Satchel2", "Chest3"]])
	t.check("the slots show what they hold", _shown(t, one) == ["", ""] and _shown(t, other) == ["gemBlue.png", "3"],
			"they show %s and %s" % [_shown(t, one), _shown(t, other)])
	var empty = _slot(t, "Satchel4")
	var told = heard.screen.count
	seen = await _drag(t, empty, _slot(t, "Satchel8"))
	t.check("an empty slot cannot be dragged", not seen.dragging and heard.screen.count == told, "a drag began at an empty slot")
	t.equal("the total is as before", _total(t), "34 things")


func test_the_same_item(t):
	var limit = int(t.parameter("limit"))
	await t.open()
	var one = _slot(t, "Satchel1")
	var other = _slot(t, "Satchel6")
	_fill(t, one, "coin", 3)
	_fill(t, other, "coin", limit - 3)
	var heard = _listen(t, one, other)
	await _drag(t, one, other)
	t.check("a stack joins the same item", _holds(_of(one), "", 0) and _holds(_of(other), "coin", limit), _state(one, other))
	_fill(t, one, "coin", limit - 1)
	_fill(t, other, "coin", limit - 2)
	heard = _listen(t, one, other)
	await _drag(t, one, other)
	t.check("what does not fit stays where it was", _holds(_of(one), "coin", limit - 3) and _holds(_of(other), "coin", limit), _state(one, other))
	t.equal("the screen tells how many really moved", _moves(heard), [["coin", 2, "Satchel1", "Satchel6"]])
	heard = _listen(t, one, other)
	await _drag(t, one, other)
	t.check("a full slot takes nothing more", _holds(_of(one), "coin", limit - 3) and _holds(_of(other), "coin", limit), _state(one, other))
	t.check("a full slot is silent", _silent(heard), _noise(heard))


func test_another_item(t):
	await t.open()
	var one = _slot(t, "Satchel3")
	var other = _slot(t, "Chest4")
	var heard = _listen(t, one, other)
	await _drag(t, one, other)
	t.check("different items change places", _holds(_of(one), "gem", 2) and _holds(_of(other), "mushroom", 6), _state(one, other))
	t.check("an exchange is told once", heard.one.count == 1 and heard.other.count == 1 and _moves(heard) == [["mushroom", 6, "Satchel3", "Chest4"]],
			"the slots told %d and %d times, the screen %s" % [heard.one.count, heard.other.count, _moves(heard)])
	t.check("the signals come when both slots are done", _states(heard).size() == 3
			and _states(heard).all(func(state): return state == ["gem", 2, "mushroom", 6]), "at the signals the slots held %s" % [_states(heard)])


func test_a_part(t):
	await t.open()
	var one = _slot(t, "Satchel1")
	var other = _slot(t, "Satchel12")
	var part = 3 if t.parameter("split") == "half" else 1
	var heard = _listen(t, one, other)
	await _drag(t, one, other, true)
	t.check("with split only a part moves", _holds(_of(one), "coin", 5 - part) and _holds(_of(other), "coin", part), _state(one, other))
	t.equal("the screen tells of the part", _moves(heard), [["coin", part, "Satchel1", "Satchel12"]])
	_fill(t, one, "coin", 4)
	_fill(t, other, "coin", int(t.parameter("limit")) - 1)
	await _drag(t, one, other, true)
	t.check("of a part too only as many move as fit", _holds(_of(one), "coin", 3) and _holds(_of(other), "coin", int(t.parameter("limit"))), _state(one, other))
	_fill(t, one, "coin", 4)
	other = _slot(t, "Satchel2")
	heard = _listen(t, one, other)
	await _drag(t, one, other, true)
	t.check("a part does not change places", _holds(_of(one), "coin", 4) and _holds(_of(other), "gem", 3), _state(one, other))
	t.check("a refused part is silent", _silent(heard), _noise(heard))
	await _drag(t, one, other)
	t.check("the whole stack does", _holds(_of(one), "gem", 3) and _holds(_of(other), "coin", 4), _state(one, other))


func test_the_belt(t):
	await t.open()
	var belt = _slot(t, "Belt3")
	var coin = _slot(t, "Satchel1")
	var heard = _listen(t, coin, belt)
	await _drag(t, coin, belt)
	t.check("the belt refuses what is no tool", _holds(_of(coin), "coin", 5) and _holds(_of(belt), "", 0), _state(coin, belt))
	t.check("a refused drop is silent", _silent(heard), _noise(heard))
	var key = _slot(t, "Satchel5")
	await _drag(t, key, belt)
	t.check("the belt takes a tool", _holds(_of(key), "", 0) and _holds(_of(belt), "key", 1), _state(key, belt))
	heard = _listen(t, belt, coin)
	await _drag(t, belt, coin)
	t.check("no exchange brings the belt what it refuses", _holds(_of(belt), "key", 1) and _holds(_of(coin), "coin", 5) and _silent(heard), _state(belt, coin))
	var torch = _slot(t, "Satchel9")
	await _drag(t, belt, torch)
	t.check("tools change places with the belt", _holds(_of(belt), "torch", 2) and _holds(_of(torch), "key", 1), _state(belt, torch))


func test_nowhere(t):
	await t.open()
	var one = _slot(t, "Satchel1")
	var other = _slot(t, "Satchel2")
	var heard = _listen(t, one, other)
	await _drag(t, one, one)
	t.check("a drop on the same slot changes nothing", _holds(_of(one), "coin", 5), "the slot holds %s" % _told(_of(one)))
	await _drag_to(t, one, Vector2(1000, 60), false, one)
	t.check("a drop beside the slots loses nothing", _holds(_of(one), "coin", 5), "the slot holds %s" % _told(_of(one)))
	t.check("neither is told", _silent(heard), _noise(heard))
	await _drag(t, one, other)
	t.check("the next drag works as usual", _holds(_of(one), "gem", 3) and _holds(_of(other), "coin", 5), _state(one, other))
	t.equal("the total stays the same", _total(t), "34 things")


func test_the_rest(t):
	await t.open()
	t.check("the slots begin with what they held", _holds(_of(_slot(t, "Satchel1")), "coin", 5) and _holds(_of(_slot(t, "Chest2")), "bomb", 4)
			and _holds(_of(_slot(t, "Belt1")), "bomb", 2), "coins, or bombs in chest and belt, are not as before")
	t.check("only the belt is for tools", range(1, 6).all(func(n): return _slot(t, "Belt%d" % n).only == &"tool")
			and _slot(t, "Satchel1").only == &"" and _slot(t, "Chest1").only == &"", "a slot takes other kinds than before")


func _slot(t, name):
	return t.the("Slot", null, {"name": name})


func _fill(t, slot, name, count):
	slot.item = t.resource("res://items/%s.tres" % name)
	slot.count = count


func _of(slot):
	return [_name(slot.item), slot.count]


func _holds(state, name, count):
	return state == [name, count]


func _told(state):
	return "nothing" if state == ["", 0] else "%d × %s" % [state[1], state[0] if state[0] != "" else "no item"]


func _state(one, other):
	return "%s holds %s, %s holds %s" % [one.name, _told(_of(one)), other.name, _told(_of(other))]


func _shown(t, slot):
	var texture = t.all("TextureRect", slot)[0].texture
	return [texture.resource_path.get_file() if texture != null else "", t.all("Label", slot)[0].text]


func _total(t):
	return t.the("Label", null, {"name": "Total"}).text


# Counts the signals of two slots and of the screen, and notes what the slots hold when they come.
func _listen(t, one, other):
	var held = [[one, "item"], [one, "count"], [other, "item"], [other, "count"]]
	var screen = t.the("Control", null, {"signal": "moved"})
	return {"one": t.watch(one, "changed", held), "other": t.watch(other, "changed", held), "screen": t.watch(screen, "moved", held)}


# What the slots held at each of these signals.
func _states(heard):
	return (heard.one.samples + heard.other.samples + heard.screen.samples).map(
			func(held): return [_name(held[0]), held[1], _name(held[2]), held[3]])


func _name(item):
	return item.resource_path.get_file().get_basename() if item != null else ""


func _moves(heard):
	return heard.screen.emissions.map(func(move): return [_name(move[0]), move[1], str(move[2].name), str(move[3].name)])


func _silent(heard):
	return heard.one.count == 0 and heard.other.count == 0 and heard.screen.count == 0


func _noise(heard):
	return "the slots told %d and %d times, the screen %d times" % [heard.one.count, heard.other.count, heard.screen.count]


func _drag(t, from, to, split = false):
	return await _drag_to(t, from, to.get_global_rect().get_center() + Vector2(6, 4), split, to)


# Drags from a slot to a place of the screen; tells what was there just before the button was let go.
func _drag_to(t, from, place, split, to):
	var start = from.get_global_rect().get_center()
	var root = from.get_tree().root
	var slots = t.all("Slot")
	var picture = from.item.picture if from.item != null else null
	await t.frames(1)
	_move(t, start, 0)
	await t.frames(1)
	if split:
		t.press("split")
	await t.frames(1)
	_button(t, start, true)
	await t.frames(1)
	for bend in [start + Vector2(20, 14), start.lerp(place, 0.3) + Vector2(8, -8), start.lerp(place, 0.7), place - Vector2(3, 3), place]:
		_move(t, bend, MOUSE_BUTTON_MASK_LEFT)
		await t.frames(2)
	if split:
		t.release("split")
	var seen = {"from": _of(from), "to": _of(to), "preview": _preview(t, root, picture, slots, place), "dragging": root.gui_is_dragging()}
	_button(t, place, false)
	await t.frames(3)
	_move(t, Vector2(1270, 10), 0)
	await t.frames(1)
	return seen


func _move(t, place, mask):
	var event = InputEventMouseMotion.new()
	event.position = place
	event.global_position = place
	event.relative = Vector2(4, 4)
	event.button_mask = mask
	t.send(event)  # seen by the next frame, as what a player does


func _button(t, place, pressed):
	var event = InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_LEFT
	event.position = place
	event.global_position = place
	event.pressed = pressed
	event.button_mask = MOUSE_BUTTON_MASK_LEFT if pressed else 0
	t.send(event)  # seen by the next frame, as what a player does


# Whether a picture hangs at the pointer that belongs to no slot.
func _preview(t, node, picture, slots, place):
	if node in slots:
		return false
	if t.is_a(node, "TextureRect") and picture != null and node.texture == picture and node.is_visible_in_tree():
		var rect = node.get_global_rect()
		if rect.has_area() and rect.grow(60.0).has_point(place):
			return true
	return node.get_children(true).any(func(child): return _preview(t, child, picture, slots, place))
