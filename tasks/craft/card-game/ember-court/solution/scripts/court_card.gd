class_name CourtCard
extends RefCounted
## One card of the deck: what it is worth and what it is called. It knows nothing of the table.

enum Kind { FOE, BLADE, HEART, CHARM }

const SUITS: Array[String] = ["clubs", "spades", "diamonds", "hearts"]
const LETTERS: Dictionary[int, String] = {1: "A", 11: "J", 12: "Q", 13: "K"}

## Court cards and aces: each has a name, a figure, something on its head and a rule of its own.
const COURT: Dictionary[String, Dictionary] = {
	"clubs11": {"name": "Cutpurse Knave", "figure": "mouse", "gear": "hat", "value": 10,
		"effect": "When fought, he steals a card from your satchel."},
	"clubs12": {"name": "Moss Queen", "figure": "slimeGreen", "gear": "queen", "value": 11,
		"effect": "While she stands, other adversaries are 2 stronger."},
	"clubs13": {"name": "Bogstone King", "figure": "slimeBlock", "gear": "king", "value": 13,
		"effect": "Each of his answers takes 1 edge off your blade."},
	"clubs1": {"name": "Brass Warden", "figure": "robot_idle", "gear": "", "value": 12,
		"effect": "Bars the door: you cannot press on while he stands."},
	"spades11": {"name": "Gloom Knave", "figure": "fly", "gear": "hat", "value": 10,
		"effect": "Striking him dulls your blade twice as fast."},
	"spades12": {"name": "Veiled Queen", "figure": "slimePurple", "gear": "queen", "value": 11,
		"effect": "While she stands, hearts heal only half."},
	"spades13": {"name": "Drowned King", "figure": "fishPink", "gear": "king", "value": 13,
		"effect": "Each of his answers drags one card under."},
	"spades1": {"name": "Ash Monarch", "figure": "zombie_idle", "gear": "king", "value": 14,
		"effect": "Grows hotter: each answer burns 1 deeper."},
	"diamonds11": {"name": "Whet Page", "figure": "femalePerson_idle", "gear": "hat", "value": 5,
		"effect": "Hones your blade to full edge and 3 more. No blade? Take his."},
	"diamonds12": {"name": "Spark Queen", "figure": "ladybug", "gear": "queen", "value": 3,
		"effect": "Scorches every adversary here: each loses 3 strength."},
	"diamonds13": {"name": "Sun King's Edge", "figure": "malePerson_idle", "gear": "king", "value": 11,
		"effect": "A royal blade of 11 that dulls by only 1."},
	"diamonds1": {"name": "Powder Keg", "figure": "bomb", "gear": "", "value": 8,
		"effect": "Blasts the strongest adversary here. Kings lose 8."},
	"hearts11": {"name": "Dew Page", "figure": "slimeBlue", "gear": "hat", "value": 4,
		"effect": "Heals 4 and lets you slip past again."},
	"hearts12": {"name": "Honey Queen", "figure": "bee", "gear": "queen", "value": 6,
		"effect": "Heals 6 and raises your full health by 3."},
	"hearts13": {"name": "Old Regent", "figure": "maleAdventurer_idle", "gear": "king", "value": 11,
		"effect": "Heals 11."},
	"hearts1": {"name": "Ever-Torch", "figure": "torch1", "gear": "", "value": 7,
		"effect": "Heals 7. Kept in the satchel, it saves you from one killing blow."},
}

## The common cards of each suit come in three sizes: up to 4, up to 7, up to 10.
const COMMON: Dictionary[String, Array] = {
	"clubs": [["Bog Worm", "wormGreen"], ["Moss Slime", "slimeGreen"], ["Marsh Frog", "frog"]],
	"spades": [["Blind Grub", "wormPink"], ["Cellar Pike", "fishGreen"], ["Grinder", "saw"]],
	"diamonds": [["Dirk", "blade"], ["Short Sword", "blade"], ["Long Sword", "blade"]],
	"hearts": [["Ember Cap", "mushroomRed"], ["Rose Gem", "gemRed"], ["Heart Star", "star"]],
}

var suit: String
var rank: int
## Strength burnt away by the Spark Queen.
var scorch: int = 0


func _init(of_suit: String, of_rank: int) -> void:
	suit = of_suit
	rank = of_rank


func key() -> String:
	return "%s%d" % [suit, rank]


func is_court() -> bool:
	return COURT.has(key())


func kind() -> Kind:
	match suit:
		"clubs", "spades":
			return Kind.FOE
		"hearts":
			return Kind.HEART
	return Kind.CHARM if is_court() and rank != 13 else Kind.BLADE


func is_foe() -> bool:
	return kind() == Kind.FOE


func is_red() -> bool:
	return not is_foe()


func value() -> int:
	return COURT[key()]["value"] if is_court() else rank


func title() -> String:
	return COURT[key()]["name"] if is_court() else _common()[0]


func figure() -> String:
	return COURT[key()]["figure"] if is_court() else _common()[1]


## What the figure wears: "king", "queen", "hat" or nothing.
func gear() -> String:
	return COURT[key()]["gear"] if is_court() else ""


func effect() -> String:
	if is_court():
		return COURT[key()]["effect"]
	match kind():
		Kind.FOE:
			return "An adversary of strength %d." % value()
		Kind.HEART:
			return "Restores %d health." % value()
	return "A blade with an edge of %d." % value()


func face_path() -> String:
	var mark: String = LETTERS.get(rank, str(rank))
	return "res://art/cards/card%s%s.png" % [suit.capitalize(), mark]


func _common() -> Array:
	return COMMON[suit][0 if rank <= 4 else (1 if rank <= 7 else 2)]
