class_name Scenarios
extends RefCounted
## Named states of a climb, for `-- --scenario <id>`.

const IDS: Array[String] = ["gallery", "king", "finale", "last_breath"]


static func build(id: String) -> CourtRun:
	var run := CourtRun.new(41)
	match id:
		"gallery":
			_place(run, 1, 0, ["clubs12", "spades7", "hearts6", "diamonds12", "clubs4"])
			run.pile = _cards(["spades10", "clubs9", "spades11", "hearts3", "clubs8", "diamonds9", "spades5", "hearts13", "clubs6", "diamonds1"])
			_arm(run, "diamonds8", 4)
			run.boons = ["kindling"]
			run.health = 14
			run.stats["foes"] = 9
		"king":
			_seat_king(run, 0, ["diamonds7", "hearts5", "diamonds11", "hearts3"], 2)
			_arm(run, "diamonds6", 6)
			run.health = 17
			run.stats["foes"] = 6
		"finale":
			run.boons = ["whetted", "satchel"]
			_seat_king(run, 2, ["hearts8", "diamonds9", "hearts12", "diamonds12"], 1)
			_arm(run, "diamonds10", 10)
			run.satchel = _cards(["diamonds1", "hearts4"])
			run.health = 15
			run.stats = {"foes": 19, "wounds": 38, "healed": 31, "flung": 4, "slips": 2, "kings": 2, "cards": 34}
		"last_breath":
			run.boons = ["juggler", "heart"]
			run.max_health = 26
			_place(run, 2, 1, ["spades10", "spades12", "hearts4", "clubs11", "diamonds5"])
			run.pile = _cards(["clubs10", "spades9", "diamonds3", "hearts2", "spades8"])
			run.discard = _cards(["clubs7", "diamonds6", "hearts9"])
			_arm(run, "diamonds6", 2)
			run.satchel = _cards(["hearts1"])
			run.health = 8
			run.stats = {"foes": 15, "wounds": 41, "healed": 27, "flung": 3, "slips": 1, "kings": 2, "cards": 28}
	return run


static func _card(key: String) -> CourtCard:
	for suit: String in CourtCard.SUITS:
		if key.begins_with(suit):
			return CourtCard.new(suit, int(key.trim_prefix(suit)))
	return null


static func _cards(keys: Array[String]) -> Array[CourtCard]:
	var cards: Array[CourtCard] = []
	for key: String in keys:
		cards.append(_card(key))
	return cards


static func _place(run: CourtRun, floor_index: int, chamber: int, keys: Array[String]) -> void:
	run.floor_index = floor_index
	run.chamber = chamber
	run.table = _cards(keys)


static func _arm(run: CourtRun, key: String, edge: int) -> void:
	run.blade = _card(key)
	run.edge = edge


static func _seat_king(run: CourtRun, floor_index: int, reds: Array[String], stragglers: int) -> void:
	_place(run, floor_index, Floors.CHAMBERS, [reds[0], reds[1], "clubs2", reds[2], reds[3]])
	run.stragglers = stragglers
	run.boss = run.boss_card_of_floor()
	run.table[2] = run.boss
	run.full_vigour = run.full_boss_vigour()
	run.vigour = run.full_vigour
	run.boss_attack = run.floor_data()["attack"]
