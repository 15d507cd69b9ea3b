extends RefCounted
# The layout of the project has the bus with its reverb, and exactly the sounds of the cave play on it.


func test_the_bus(t):
	# before any scene is opened, so that no script of one has made it
	var audio = t.engine("AudioServer")
	var bus = audio.get_bus_index(t.parameter("bus"))
	if not t.check("the bus is there before any scene runs", bus >= 0,
			"the project starts with the buses %s" % [range(audio.bus_count).map(func(index): return audio.get_bus_name(index))]):
		return
	t.equal("the bus sends to Master", str(audio.get_bus_send(bus)), "Master")
	t.near("the bus has the asked volume", audio.get_bus_volume_db(bus), t.parameter("volume"), 0.05)
	t.check("the bus can be heard", not audio.is_bus_mute(bus) and not audio.is_bus_bypassing_effects(bus), "it is mute or passes its effects by")
	var effect = audio.get_bus_effect(bus, 0) if audio.get_bus_effect_count(bus) == 1 else null
	if not t.check("the bus has one effect, a reverb", t.is_a(effect, "AudioEffectReverb"),
			"its effects: %s" % [range(audio.get_bus_effect_count(bus)).map(func(index): return audio.get_bus_effect(bus, index).get_class())]):
		return
	t.check("the effect is switched on", audio.is_bus_effect_enabled(bus, 0), "the reverb is not enabled")
	t.near("the room has the asked size", effect.room_size, t.parameter("room"), 0.005)
	t.near("the reverb is as wet as asked", effect.wet, t.parameter("wet"), 0.005)
	var plain = t.make("AudioEffectReverb")
	var moved = ["dry", "damping", "spread", "hipass", "predelay_msec", "predelay_feedback"].filter(
			func(name): return absf(effect.get(name) - plain.get(name)) > 0.005)
	t.check("the rest of the reverb is as it comes", moved.is_empty(), "not at the default: %s" % ", ".join(moved))


func test_other_buses(t):
	var audio = t.engine("AudioServer")
	t.equal("the bus Master is as it was", [audio.get_bus_effect_count(0), audio.get_bus_volume_db(0), audio.is_bus_mute(0)], [0, 0.0, false])
	var music = audio.get_bus_index("Music")
	var filter = audio.get_bus_effect(music, 0) if music >= 0 and audio.get_bus_effect_count(music) == 1 else null
	t.check("the bus Music is as it was", t.is_a(filter, "AudioEffectLowPassFilter") and absf(filter.cutoff_hz - 1400.0) < 1.0
			and absf(audio.get_bus_volume_db(music) + 8.0) < 0.05 and audio.get_bus_send(music) == &"Master",
			"it is gone, or its filter, volume or send was changed")


func test_the_sounds(t):
	await t.open()
	var first = _heard(t)
	t.check("all sounds of the cave play on the bus", not first.is_empty() and first.values().all(func(bus): return bus == t.parameter("bus")),
			"the players and their buses: %s" % [first])
	var bats = t.all("Node2D", null, {"group": "bats"}).size()
	await t.seconds(6.0)
	var flown_in = t.all("Node2D", null, {"group": "bats"}).slice(bats)
	t.check("bats fly in as before", flown_in.size() == 2, "%d came in 6 s, expected 2" % flown_in.size())
	t.check("bats that fly in later play on the bus", not flown_in.is_empty()
			and flown_in.all(func(bat): return t.all("AudioStreamPlayer2D", bat).all(func(player): return player.bus == t.parameter("bus"))),
			"their buses: %s" % [flown_in.map(func(bat): return t.all("AudioStreamPlayer2D", bat).map(func(player): return player.bus))])


func test_the_players(t):
	await t.open()
	var found = {}
	for player in t.all("AudioStreamPlayer2D"):
		var sound = player.stream.resource_path.get_file().get_basename() if player.stream != null else "none"
		found[sound] = found.get(sound, []) + [[snappedf(player.volume_db, 0.1), snappedf(player.pitch_scale, 0.1), roundi(player.max_distance)]]
	t.equal("the players are as they were", JSON.stringify(found), JSON.stringify({
		"drop": [[0.0, 1.0, 1600], [0.0, 1.0, 1600], [0.0, 1.0, 1600]], "squeak": [[-10.0, 1.2, 2000]], "step": [[-6.0, 1.0, 2000]]}))
	var music = _player(t, "hum")
	t.check("the music plays on its bus", music != null and music.playing and music.bus == &"Music",
			"its bus is %s" % [music.bus if music != null else "gone with its player"])
	var chime = _player(t, "chime")
	t.check("the chime plays on Master", chime != null and chime.bus == &"Master" and absf(chime.volume_db + 3.0) < 0.1,
			"its bus is %s" % [chime.bus if chime != null else "gone with its player"])


func test_the_rest(t):
	var main = await t.open()
	var hero = t.the("CharacterBody2D")
	var begin = hero.global_position.x
	t.press("move_right")
	await t.seconds(1.0)
	t.release("move_right")
	t.between("the hero walks as before", hero.global_position.x - begin, 210.0, 250.0)
	t.check("a gem is counted", main.gems >= 1, "she walked over a gem and the count is %d" % main.gems)


# Each player of the cave with its bus, by the path from the root.
func _heard(t):
	var found = {}
	for player in t.all("AudioStreamPlayer2D"):
		found[str(player.get_parent().name)] = str(player.bus)
	return found


func _player(t, sound):
	return t.the("AudioStreamPlayer", null, func(player): return player.stream != null and player.stream.resource_path.get_file() == sound + ".tres")
