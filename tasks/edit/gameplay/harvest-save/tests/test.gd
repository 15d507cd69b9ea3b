extends RefCounted
# Save writes the stated file, load brings it back and shows it; old, missing and damaged files are treated as stated.

const NAMES = ["North", "NorthEast", "NorthWest", "South", "SouthEast", "SouthWest"]


func test_saving(t):
	var farm = await _farm(t)
	await _play(t, farm)
	var saved = t.watch(farm, "saved")
	if not t.exists("the farm has the signal saved", saved, "the root of the main scene has no signal named saved"):
		return
	await t.tap("save")
	t.equal("a save is signalled once", saved.count, 1)
	var data = _read(t)
	if not t.check("the file is a JSON object", data is Dictionary,
			"%s is %s" % [_file(t), "no JSON object" if t.has_file(_file(t)) else "not there"]):
		return
	var names = data.keys()
	names.sort()
	t.equal("it has the stated keys", names, ["beds", "coins", "day", "farmer", "seed", "version"])
	t.equal("it has the stated version", data.get("version"), t.parameter("version"))
	t.equal("day and coins are in it", [data.get("day"), data.get("coins")], [4.0, 5.0])
	t.equal("the chosen seed is in it", data.get("seed"), "plum")
	var place = data.get("farmer")
	t.check("the farmer's place is a list of two numbers", place is Array and place.size() == 2
			and place.all(func(one): return one is float) and Vector2(place[0], place[1]).distance_to(_farmer(t).global_position) < 0.1,
			"it is %s, he stands at %s" % [place, _farmer(t).global_position])
	var beds = data.get("beds")
	t.check("each bed is an object with its three keys", beds is Array and beds.size() == 6
			and beds.all(func(bed): return bed is Dictionary and bed.size() == 3 and bed.has_all(["name", "crop", "age"])),
			"the beds are %s" % [beds])
	t.equal("each bed has its name, crop and age", _line(_by_name(beds)), _line({
		"North": ["cactus", 2], "NorthEast": ["", 0], "NorthWest": ["", 0],
		"South": ["plum", 1], "SouthEast": ["mushroom", 0], "SouthWest": ["", 0]}))
	await t.tap("sleep")
	await t.tap("save")
	data = _read(t)
	t.equal("a second save replaces the first", data.get("day") if data is Dictionary else null, 5.0)


func test_loading(t):
	var farm = await _farm(t)
	await _play(t, farm)
	var kept = _state(t, farm)
	await t.tap("save")
	await t.tap("sleep")
	await t.tap("next_seed")
	await _stand(t, "NorthEast")
	await t.tap("work")
	var loaded = t.watch(farm, "loaded")
	if not t.exists("the farm has the signal loaded", loaded, "the root of the main scene has no signal named loaded"):
		return
	await t.tap("load")
	t.equal("loading brings everything back", _line(_state(t, farm)), _line(kept))
	t.equal("a load is signalled once", loaded.count, 1)
	farm = await t.open()
	t.check("a new game begins anew until something is loaded", farm.day == 1 and farm.coins == 6, "day %s, %s coins" % [farm.day, farm.coins])
	await t.tap("load")
	t.equal("a new game loads what an earlier one saved", _line(_state(t, farm)), _line(kept))
	t.check("the saved file is kept", t.has_file(_file(t)), "loading took it away")


func test_the_screen(t):
	var farm = await _farm(t)
	_write(t, _sound(t))
	await t.tap("load")
	var shown = t.all("Label", farm).map(func(label): return label.text)
	t.check("the labels show what was loaded", "Day 12" in shown and "34" in shown and "Seed: cactus" in shown,
			"the labels are %s; day 12, 34 coins and the seed cactus were loaded" % [shown])
	var pictures = {}
	for bed in _beds(t):
		var plant = bed.find_child("Plant")
		pictures[str(bed.name)] = plant.texture.resource_path.get_file() if plant.visible else ""
	t.equal("the beds show what was loaded", _line(pictures), _line({
		"North": "mushroomRed.png", "NorthEast": "cactus.png", "NorthWest": "", "South": "grass_sprout.png",
		"SouthEast": "plantPurple.png", "SouthWest": "grass_sprout.png"}))


func test_by_hand(t):
	var farm = await _farm(t)
	_write(t, _sound(t))
	await t.tap("load")
	var found = _state(t, farm)
	t.equal("a file written by hand is loaded", [found.day, found.coins, found.seed, found.farmer], [12, 34, "cactus", Vector2(900, 610)])
	t.equal("beds are found by their names", _line(found.beds), _line({
		"North": ["mushroom", 2], "NorthEast": ["cactus", 3], "NorthWest": ["", 0], "South": ["plum", 0],
		"SouthEast": ["plum", 3], "SouthWest": ["mushroom", 1]}))
	var harvested = t.watch(farm, "harvested")
	await _stand(t, "NorthEast")
	await t.tap("work")
	await t.tap("sleep")
	found = _state(t, farm)
	t.equal("the game goes on from there", [found.coins, found.day, harvested.last(), found.beds.NorthEast, found.beds.North, found.beds.South],
			[39, 13, ["cactus"], ["", 0], ["mushroom", 3], ["plum", 1]])


func test_old_version(t):
	var farm = await _farm(t)
	var data = _sound(t)
	data.version = t.parameter("old")
	data.erase("farmer")
	_write(t, data)
	_farmer(t).global_position = Vector2(600, 600)
	await t.physics(2)
	await t.tap("load")
	var found = _state(t, farm)
	t.equal("a file of the old version is loaded", [found.day, found.coins, found.beds.NorthEast], [12, 34, ["cactus", 3]])
	t.equal("there the farmer stays where he is", found.farmer, Vector2(600, 600))


func test_missing(t):
	var farm = await _farm(t)
	await _play(t, farm)
	var before = _state(t, farm)
	var failed = t.watch(farm, "load_failed")
	var loaded = t.watch(farm, "loaded")
	if not t.check("the farm has the signal load_failed", failed != null and loaded != null, "load_failed or loaded is missing"):
		return
	await t.tap("load")
	t.equal("a missing file is told as such", failed.emissions, [["missing"]])
	t.equal("a missing file changes nothing", _line(_state(t, farm)), _line(before))
	t.equal("nothing is loaded then", loaded.count, 0)
	t.check("no file is made by that", not t.has_file(_file(t)) and not t.has_file(_bad(t)), "a file was written")


func test_damaged(t):
	var farm = await _farm(t)
	await _play(t, farm)
	var before = _state(t, farm)
	var failed = t.watch(farm, "load_failed")
	var loaded = t.watch(farm, "loaded")
	var changed = []
	var untold = []
	var unmoved = []
	var damaged = _damaged(t)
	for what in damaged:
		var text = damaged[what]
		_write(t, text)
		var count = failed.count if failed != null else 0
		await t.tap("load")
		if failed == null or failed.count != count + 1 or failed.last() != ["damaged"] or loaded == null or loaded.count > 0:
			untold.append(what)
		if _state(t, farm) != before:
			changed.append(what)
			await _put_back(t, farm, before)
		if t.has_file(_file(t)) or t.text_of(_bad(t)) != text:
			unmoved.append(what)
		loaded = t.watch(farm, "loaded")
	t.check("a damaged file changes nothing", changed.is_empty(), "the game was changed by a file with %s" % _listed(changed))
	t.check("a damaged file is told as such", untold.is_empty(), "no load_failed(\"damaged\"), or loaded as well, for a file with %s" % _listed(untold))
	t.check("a damaged file is moved aside", unmoved.is_empty(), "%s does not hold the file with %s" % [_bad(t), _listed(unmoved)])
	_write(t, _sound(t))
	await t.tap("load")
	t.equal("after that a sound file still loads", [farm.day, farm.coins], [12, 34])


func test_the_rest(t):
	var farm = await _farm(t)
	await _stand(t, "South")
	await t.tap("work")
	t.equal("sowing costs a coin", [farm.coins, _bed(t, "South").crop, _bed(t, "South").age], [5, "mushroom", 0])
	for night in 3:
		await t.tap("sleep")
	var harvested = t.watch(farm, "harvested")
	await t.tap("work")
	t.equal("a harvest pays as before", [farm.coins, farm.day, harvested.last()], [8, 4, ["mushroom"]])
	var begin = _farmer(t).global_position
	t.press("move_right")
	await t.seconds(0.5)
	t.release("move_right")
	t.between("the farmer walks as before", _farmer(t).global_position.x - begin.x, 120.0, 140.0)
	var names = _beds(t).map(func(bed): return str(bed.name))
	names.sort()
	t.equal("the beds are those of the scene", names, NAMES)
	t.check("nothing is saved unasked", not t.has_file(_file(t)), "%s was written without the action save" % _file(t))


# --- the farm ---

func _farm(t):
	for path in [_file(t), _bad(t)]:
		if t.has_file(path):
			t.remove(path)
	return await t.open()


func _file(t):
	return "user://" + t.parameter("file")


func _bad(t):
	return "user://" + t.parameter("bad")


func _farmer(t):
	return t.the("CharacterBody2D")


func _beds(t):
	return t.all("Node2D", null, {"group": "beds"})


func _bed(t, name):
	return _beds(t).filter(func(node): return str(node.name) == name).front()


func _stand(t, name):
	_farmer(t).global_position = _bed(t, name).global_position + Vector2(0, 30)
	await t.physics(2)


# Four days: three crops of different age, one harvest; the farmer ends below the beds with plums in his hand.
func _play(t, _root):
	for step in ["NorthWest", "sleep", "next_seed", "North", "sleep", "next_seed", "South", "sleep", "next_seed", "NorthWest", "SouthEast"]:
		if step in NAMES:
			await _stand(t, step)
			await t.tap("work")
		else:
			await t.tap(step)
	await t.tap("next_seed")
	await t.tap("next_seed")
	_farmer(t).global_position = Vector2(733.25, 512.5)
	await t.physics(2)


func _state(t, farm):
	var beds = {}
	for bed in _beds(t):
		beds[str(bed.name)] = [bed.crop, bed.age]
	return {"day": farm.day, "coins": farm.coins, "seed": farm.chosen, "farmer": _farmer(t).global_position.snapped(Vector2(0.1, 0.1)), "beds": beds}


func _put_back(t, farm, state):
	farm.day = state.day
	farm.coins = state.coins
	farm.chosen = state.seed
	_farmer(t).global_position = state.farmer
	for bed in _beds(t):
		bed.crop = state.beds[str(bed.name)][0]
		bed.age = state.beds[str(bed.name)][1]
	await t.physics(1)


func _by_name(beds):
	var found = {}
	for bed in beds if beds is Array else []:
		if bed is Dictionary and bed.get("age") is float:
			found[bed.get("name")] = [bed.get("crop"), int(bed.age)]
	return found


# --- files ---

func _read(t):
	var json = JSON.new()
	return json.data if json.parse(t.text_of(_file(t))) == OK else null


## A dictionary in one line, its keys in order.
func _line(what):
	return JSON.stringify(what).replace("\"", "'")


func _listed(what):
	return ", ".join(what) if what.size() < 5 else "%s and %d more" % [", ".join(what.slice(0, 4)), what.size() - 4]


func _write(t, what):
	t.write(_file(t), what if what is String else JSON.stringify(what))


func _sound(t):
	return {
		"version": t.parameter("version"), "day": 12, "coins": 34, "seed": "cactus", "farmer": [900, 610],
		"beds": [
			{"name": "SouthWest", "crop": "mushroom", "age": 1}, {"name": "NorthEast", "crop": "cactus", "age": 3},
			{"name": "South", "crop": "plum", "age": 0}, {"name": "NorthWest", "crop": "", "age": 0},
			{"name": "North", "crop": "mushroom", "age": 2}, {"name": "SouthEast", "crop": "plum", "age": 3},
		],
	}


func _damaged(t):
	var made = {
		"no text at all": "",
		"a text that breaks off": JSON.stringify(_sound(t)).left(120),
		"a list instead of an object": JSON.stringify([_sound(t)]),
	}
	for change in [
		["a newer version", "version", t.parameter("version") + 1], ["a version before the old one", "version", t.parameter("old") - 1],
		["a version that is a text", "version", str(int(t.parameter("version")))],
		["day 0", "day", 0], ["a day that is a text", "day", "12"], ["half a coin", "coins", 2.5], ["coins below 0", "coins", -1],
		["an unknown seed", "seed", "pumpkin"], ["a seed that is a number", "seed", 1],
		["a place that is a text", "farmer", "(900, 610)"], ["a place with one number", "farmer", [900]],
		["beds that are no list", "beds", {"North": "plum"}],
	]:
		var data = _sound(t)
		data[change[1]] = change[2]
		made[change[0]] = JSON.stringify(data)
	for key in ["version", "day", "coins", "seed", "farmer", "beds"]:
		var data = _sound(t)
		data.erase(key)
		made["no " + key] = JSON.stringify(data)
	for change in [
		["an age of 4", "age", 4], ["an age below 0", "age", -1], ["an age that is a text", "age", "old"],
		["an unknown crop", "crop", "pumpkin"], ["a crop that is null", "crop", null], ["a bed that is not in the scene", "name", "Middle"],
		["a bed named twice", "name", "SouthWest"],
	]:
		var data = _sound(t)
		data.beds[4][change[1]] = change[2]
		made[change[0]] = JSON.stringify(data)
	var without = _sound(t)
	without.beds.pop_back()
	made["a bed missing"] = JSON.stringify(without)
	without = _sound(t)
	without.beds[2].erase("age")
	made["a bed without its age"] = JSON.stringify(without)
	without = _sound(t)
	without.beds[5] = "SouthEast"
	made["a bed that is a text"] = JSON.stringify(without)
	return made
