class_name Boons
extends RefCounted
## The gifts offered between floors. Each one changes a rule for the rest of the run.

const ALL: Dictionary[String, Dictionary] = {
	"whetted": {"name": "Whetted Oath", "art": "res://art/creatures/saw.png",
		"text": "Your blades dull by 1 instead of 2 with every strike."},
	"satchel": {"name": "Deep Satchel", "art": "res://art/items/keyYellow.png",
		"text": "Unlocks a second pocket: carry two cards at once."},
	"heart": {"name": "Ember Heart", "art": "res://art/items/gemRed.png",
		"text": "Full health grows by 6, and you heal 6 right away."},
	"ghost": {"name": "Ghost Step", "art": "res://art/items/flagGreen1.png",
		"text": "Slip past as often as you like; every slip heals 2."},
	"coin": {"name": "Ferryman's Coin", "art": "res://art/items/coinGold.png",
		"text": "Stragglers you leave behind no longer feed the king."},
	"kindling": {"name": "Kindling", "art": "res://art/tiles/torch1.png",
		"text": "The first adversary you fight in a chamber is 3 weaker."},
	"juggler": {"name": "Knife Juggler", "art": "res://art/items/star.png",
		"text": "A flung blade counts for 4 more than is printed on it."},
}
