class_name CourtRun
extends RefCounted
## The rules of one climb. Every action changes the state at once and returns the list of things
## that happened, in order, so that the table can show them one after the other.

enum Stance { STRIKE, FLING, BARE }

const SLOTS := 5
const MUST_TAKE := 3
const START_HEALTH := 20
const DULLING := 2
const STRAGGLER_VIGOUR := 2
const SWEEP_HEAL := 2
const REST_HEAL := 5
const BARE_BLOW := 3

var rng := RandomNumberGenerator.new()
var health: int = START_HEALTH
var max_health: int = START_HEALTH
var blade: CourtCard = null
var edge: int = 0
var satchel: Array[CourtCard] = []
var floor_index: int = 0
var chamber: int = 0
var pile: Array[CourtCard] = []
var discard: Array[CourtCard] = []
## Always SLOTS long; an emptied place holds null.
var table: Array[CourtCard] = []
var taken: int = 0
var slip_spent: bool = false
var fought_here: bool = false
var stragglers: int = 0
var boons: Array[String] = []
var offers: Array[String] = []
var boss: CourtCard = null
var vigour: int = 0
var full_vigour: int = 0
var boss_attack: int = 0
var outcome: String = ""
var stats: Dictionary[String, int] = {"foes": 0, "wounds": 0, "healed": 0, "flung": 0, "slips": 0, "kings": 0, "cards": 0}

var _floor_piles: Array[Array] = []
var _log: Array[Dictionary] = []


func _init(seed_value: int) -> void:
	rng.seed = seed_value
	_split_deck()


# --- what the table asks -------------------------------------------------------------------------

func satchel_size() -> int:
	return 2 if has_boon("satchel") else 1


func has_boon(id: String) -> bool:
	return boons.has(id)


func full_boss_vigour() -> int:
	var fed: int = 0 if has_boon("coin") else stragglers * STRAGGLER_VIGOUR
	return floor_data()["vigour"] + fed


func floor_data() -> Dictionary:
	return Floors.ALL[floor_index]


func boss_card_of_floor() -> CourtCard:
	var who: Array = floor_data()["boss"]
	return CourtCard.new(who[0], who[1])


func in_boss_chamber() -> bool:
	return boss != null


func cards_here() -> Array[CourtCard]:
	var found: Array[CourtCard] = []
	for card: CourtCard in table:
		if card != null:
			found.append(card)
	return found


func stands(card_key: String) -> bool:
	return cards_here().any(func(card: CourtCard) -> bool: return card.key() == card_key)


## Strength of an adversary as it stands now, with queens, sparks and kindling counted in.
func strength_of(card: CourtCard) -> int:
	if card == boss:
		return boss_attack
	var strength: int = card.value() - card.scorch
	if card.key() != "clubs12" and stands("clubs12"):
		strength += 2
	if has_boon("kindling") and not fought_here:
		strength -= 3
	return maxi(strength, 0)


func heal_of(card: CourtCard) -> int:
	return floori(card.value() / 2.0) if stands("spades12") else card.value()


func blade_worth(stance: Stance) -> int:
	if blade == null or stance == Stance.BARE:
		return 0
	if stance == Stance.STRIKE:
		return edge
	return blade.value() + (4 if has_boon("juggler") else 0)


## The stance that would really be used: without a blade there are only fists.
func usable(stance: Stance) -> Stance:
	return Stance.BARE if blade == null else stance


## Health that fighting this card would cost.
func forecast(card: CourtCard, stance: Stance) -> int:
	if card == boss:
		return 0 if blow_on_boss(stance) >= vigour else boss_attack
	return maxi(strength_of(card) - blade_worth(usable(stance)), 0)


func blow_on_boss(stance: Stance) -> int:
	var used: Stance = usable(stance)
	return BARE_BLOW if used == Stance.BARE else blade_worth(used)


func can_stash(card: CourtCard) -> bool:
	return card != null and card.is_red() and satchel.size() < satchel_size() and table.has(card)


func can_slip() -> bool:
	return slip_refusal() == ""


func slip_refusal() -> String:
	if in_boss_chamber():
		return "No one slips past a king."
	if taken > 0:
		return "Too late: you have already taken a card here."
	if pile.is_empty():
		return "Nothing lies beyond: this is the last chamber."
	if slip_spent:
		return "You slipped past the last chamber. Face this one."
	return ""


func can_press_on() -> bool:
	return press_refusal() == ""


func press_refusal() -> String:
	if in_boss_chamber():
		return "The only way on is through the king."
	if taken < MUST_TAKE and not cards_here().is_empty():
		return "Take %d more before you press on." % (MUST_TAKE - taken)
	if stands("clubs1"):
		return "The Brass Warden bars the door."
	return ""


# --- what the player does ------------------------------------------------------------------------

func begin_floor(index: int) -> Array[Dictionary]:
	_log = []
	floor_index = index
	chamber = 0
	stragglers = 0
	boss = null
	discard.clear()
	slip_spent = false
	pile.assign(_floor_piles[index])
	_note("floor", {"index": index})
	_deal()
	return _log


func play(card: CourtCard, stance: Stance) -> Array[Dictionary]:
	_log = []
	if card == boss:
		_duel(stance)
	elif card.is_foe():
		_fight(card, usable(stance))
	else:
		_use(card)
	if outcome == "" and not in_boss_chamber() and offers.is_empty() and cards_here().is_empty():
		_heal(SWEEP_HEAL, null, "Clean sweep!")
		_next_chamber()
	return _log


func stash(card: CourtCard) -> Array[Dictionary]:
	_log = []
	_leave_table(card)
	satchel.append(card)
	_note("stash", {"card": card})
	if not in_boss_chamber() and cards_here().is_empty():
		_heal(SWEEP_HEAL, null, "Clean sweep!")
		_next_chamber()
	return _log


func slip() -> Array[Dictionary]:
	_log = []
	stats["slips"] += 1
	slip_spent = not has_boon("ghost")
	for card: CourtCard in cards_here():
		pile.append(card)
		_note("return", {"card": card})
	_shuffle(pile)
	_note("slipped", {})
	if has_boon("ghost"):
		_heal(2, null, "Ghost Step")
	_deal()
	return _log


func press_on() -> Array[Dictionary]:
	_log = []
	for card: CourtCard in cards_here():
		discard.append(card)
		if card.is_foe() and not has_boon("coin"):
			stragglers += 1
			_note("recruit", {"card": card, "vigour": full_boss_vigour()})
		else:
			_note("burn", {"card": card})
	_clear_table()
	_next_chamber()
	return _log


func choose_boon(id: String) -> Array[Dictionary]:
	boons.append(id)
	offers.clear()
	if id == "heart":
		max_health += 6
		health = mini(health + 6, max_health)
	return begin_floor(floor_index + 1)


# --- the rules -----------------------------------------------------------------------------------

func _fight(card: CourtCard, stance: Stance) -> void:
	var worth: int = blade_worth(stance)
	var wound: int = forecast(card, stance)
	_note("attack", {"card": card, "stance": stance, "worth": worth, "blade": blade, "wound": wound})
	_leave_table(card)
	fought_here = true
	stats["foes"] += 1
	_wear(stance, DULLING * 2 if card.key() == "spades11" else DULLING)
	_note("fell", {"card": card})
	discard.append(card)
	if card.key() == "clubs11" and not satchel.is_empty():
		var lost: CourtCard = satchel.pop_back()
		discard.append(lost)
		_note("stolen", {"card": lost})
	_wound(wound)


func _duel(stance: Stance) -> void:
	var used: Stance = usable(stance)
	var blow: int = blow_on_boss(used)
	_note("attack", {"card": boss, "stance": used, "worth": blow, "blade": blade})
	_wear(used, DULLING)
	_hurt_boss(blow)
	if offers.is_empty() and outcome == "" and boss != null:
		_boss_returns()


func _boss_returns() -> void:
	_note("boss_attack", {"card": boss})
	match boss.key():
		"clubs13":
			if blade != null:
				_dull(1)
		"spades13":
			var here: Array[CourtCard] = cards_here()
			here.erase(boss)
			if not here.is_empty():
				var lost: CourtCard = here[0]
				table[table.find(lost)] = null
				discard.append(lost)
				_note("dragged", {"card": lost})
	_wound(boss_attack)
	if boss.key() == "spades1":
		boss_attack += 1
		_note("boss_grows", {"attack": boss_attack})


func _hurt_boss(amount: int) -> void:
	vigour = maxi(vigour - amount, 0)
	_note("boss_hit", {"card": boss, "amount": amount, "vigour": vigour})
	if vigour > 0:
		return
	stats["kings"] += 1
	stats["foes"] += 1
	_note("boss_down", {"card": boss})
	for card: CourtCard in cards_here():
		if card != boss:
			_note("burn", {"card": card})
	_clear_table()
	boss = null
	if floor_index == Floors.ALL.size() - 1:
		outcome = "won"
		_note("won", {})
		return
	_heal(REST_HEAL, null, "A moment's rest")
	_offer_boons()


func _use(card: CourtCard) -> void:
	var from_satchel: bool = satchel.has(card)
	if from_satchel:
		satchel.erase(card)
		stats["cards"] += 1
	else:
		_leave_table(card)
	match card.kind():
		CourtCard.Kind.BLADE:
			_equip(card)
		CourtCard.Kind.HEART:
			_drink(card)
		CourtCard.Kind.CHARM:
			_invoke(card)


func _equip(card: CourtCard) -> void:
	if blade != null:
		discard.append(blade)
	_note("equip", {"card": card, "old": blade, "edge": card.value()})
	blade = card
	edge = card.value()


func _drink(card: CourtCard) -> void:
	discard.append(card)
	if card.key() == "hearts12":
		max_health += 3
	_note("consume", {"card": card})
	_heal(heal_of(card), card, "")
	if card.key() == "hearts11":
		slip_spent = false


func _invoke(card: CourtCard) -> void:
	match card.rank:
		11:
			if blade == null:
				_equip(card)
				return
			edge = maxi(edge, blade.value()) + 3
			discard.append(card)
			_note("consume", {"card": card})
			_note("honed", {"edge": edge})
		12:
			discard.append(card)
			_note("cast", {"card": card, "colour": "spark"})
			for foe: CourtCard in cards_here():
				if foe.is_foe() and foe != boss:
					foe.scorch += 3
					_note("scorched", {"card": foe, "amount": 3})
			if in_boss_chamber():
				_hurt_boss(5)
		1:
			discard.append(card)
			_note("cast", {"card": card, "colour": "blast"})
			_blast()


func _blast() -> void:
	if in_boss_chamber():
		_hurt_boss(8)
		return
	var strongest: CourtCard = null
	for foe: CourtCard in cards_here():
		if foe.is_foe() and (strongest == null or strength_of(foe) > strength_of(strongest)):
			strongest = foe
	if strongest == null:
		return
	table[table.find(strongest)] = null
	discard.append(strongest)
	stats["foes"] += 1
	_note("blasted", {"card": strongest})


func _wear(stance: Stance, amount: int) -> void:
	if blade == null or stance == Stance.BARE:
		return
	if stance == Stance.FLING:
		stats["flung"] += 1
		_lose_blade()
		return
	if has_boon("whetted"):
		amount = floori(amount / 2.0)
	if blade.key() == "diamonds13":
		amount = 1
	_dull(amount)


func _dull(amount: int) -> void:
	edge = maxi(edge - amount, 0)
	_note("dulled", {"edge": edge, "amount": amount})


func _lose_blade() -> void:
	discard.append(blade)
	_note("blade_gone", {"card": blade})
	blade = null
	edge = 0


func _wound(amount: int) -> void:
	if amount <= 0:
		_note("blocked", {})
		return
	stats["wounds"] += amount
	health = maxi(health - amount, 0)
	_note("wounded", {"amount": amount, "health": health})
	if health > 0:
		return
	for card: CourtCard in satchel:
		if card.key() == "hearts1":
			satchel.erase(card)
			discard.append(card)
			_note("consume", {"card": card})
			_heal(card.value(), card, "The torch rekindles you!")
			return
	outcome = "lost"
	_note("lost", {})


func _heal(amount: int, card: CourtCard, why: String) -> void:
	var gained: int = mini(amount, max_health - health)
	health += gained
	stats["healed"] += gained
	_note("healed", {"amount": gained, "health": health, "card": card, "why": why})


func _next_chamber() -> void:
	chamber += 1
	slip_spent = false
	if pile.is_empty():
		_deal_boss()
	else:
		_deal()


func _deal() -> void:
	_clear_table()
	taken = 0
	fought_here = false
	for slot: int in SLOTS:
		if pile.is_empty():
			break
		table[slot] = pile.pop_front()
		_note("deal", {"card": table[slot], "slot": slot})
	_note("chamber", {})


## The king sits in the middle; the embers give back up to four red cards from the discard.
func _deal_boss() -> void:
	_clear_table()
	taken = 0
	boss = boss_card_of_floor()
	full_vigour = full_boss_vigour()
	vigour = full_vigour
	boss_attack = floor_data()["attack"]
	table[2] = boss
	_note("boss", {"card": boss})
	var reds: Array[CourtCard] = []
	for card: CourtCard in discard:
		if card.is_red():
			reds.append(card)
	_shuffle(reds)
	for slot: int in [1, 3, 0, 4]:
		if reds.is_empty():
			break
		var card: CourtCard = reds.pop_back()
		discard.erase(card)
		table[slot] = card
		_note("deal", {"card": card, "slot": slot})


func _offer_boons() -> void:
	var left: Array[String] = []
	for id: String in Boons.ALL:
		if not has_boon(id):
			left.append(id)
	while offers.size() < 3:
		offers.append(left.pop_at(rng.randi_range(0, left.size() - 1)))
	_note("boons", {})


func _leave_table(card: CourtCard) -> void:
	table[table.find(card)] = null
	taken += 1
	stats["cards"] += 1
	_note("taken", {"taken": taken})


func _clear_table() -> void:
	table.resize(SLOTS)
	table.fill(null)


func _note(what: String, details: Dictionary) -> void:
	details["what"] = what
	_log.append(details)


## Deals the 52 cards to the three floors: weaker adversaries tend to wait lower down. Three lords
## are kept aside for the ends of the floors and four red cards stay lost in the ash.
func _split_deck() -> void:
	var foes: Array[CourtCard] = []
	var blades: Array[CourtCard] = []
	var hearts: Array[CourtCard] = []
	var lords: Array[String] = ["clubs13", "spades13", "spades1"]
	for suit: String in CourtCard.SUITS:
		for rank: int in range(1, 14):
			var card := CourtCard.new(suit, rank)
			if lords.has(card.key()):
				continue
			if card.is_foe():
				foes.append(card)
			elif suit == "diamonds":
				blades.append(card)
			else:
				hearts.append(card)
	_shuffle(blades)
	_shuffle(hearts)
	var weight: Dictionary[CourtCard, float] = {}
	for card: CourtCard in foes:
		weight[card] = card.value() + rng.randf_range(0.0, 10.0)
	foes.sort_custom(func(a: CourtCard, b: CourtCard) -> bool: return weight[a] < weight[b])
	for data: Dictionary in Floors.ALL:
		var cards: Array[CourtCard] = []
		for i: int in data["foes"]:
			cards.append(foes.pop_front())
		for i: int in data["blades"]:
			cards.append(blades.pop_back())
		for i: int in data["hearts"]:
			cards.append(hearts.pop_back())
		_shuffle(cards)
		_floor_piles.append(cards)


func _shuffle(cards: Array[CourtCard]) -> void:
	for i: int in range(cards.size() - 1, 0, -1):
		var j: int = rng.randi_range(0, i)
		var held: CourtCard = cards[i]
		cards[i] = cards[j]
		cards[j] = held
