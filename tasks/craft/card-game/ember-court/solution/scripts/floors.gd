class_name Floors
extends RefCounted
## The three floors of the court: look of the table, size of the pile and who waits at the end.

const ALL: Array[Dictionary] = [
	{
		"name": "Mossgate Hall", "numeral": "I", "back": "cardBack_green4", "gem": "gemGreen",
		"wall": "brickGrey", "wall_tint": Color(0.34, 0.4, 0.33), "felt": "dirtCenter", "felt_tint": Color(0.3, 0.5, 0.34),
		"accent": Color(0.56, 0.83, 0.42), "mote": "res://art/motes/treeGreen_small.png", "mote_tint": Color(0.75, 1.0, 0.6, 0.75),
		"mote_rise": 26.0, "props": ["bush", "mushroomRed"],
		"foes": 7, "blades": 4, "hearts": 4, "boss": ["clubs", 13], "vigour": 16, "attack": 4,
	},
	{
		"name": "Drowned Gallery", "numeral": "II", "back": "cardBack_blue4", "gem": "gemBlue",
		"wall": "planetCenter", "wall_tint": Color(0.27, 0.36, 0.5), "felt": "water", "felt_tint": Color(0.24, 0.44, 0.56),
		"accent": Color(0.45, 0.83, 0.95), "mote": "res://art/items/coinSilver.png", "mote_tint": Color(0.6, 0.9, 1.0, 0.4),
		"mote_rise": -34.0, "props": ["plantPurple", "rock"],
		"foes": 8, "blades": 4, "hearts": 3, "boss": ["spades", 13], "vigour": 22, "attack": 5,
	},
	{
		"name": "Throne of Ash", "numeral": "III", "back": "cardBack_red4", "gem": "gemRed",
		"wall": "brickBrown", "wall_tint": Color(0.4, 0.24, 0.24), "felt": "lava", "felt_tint": Color(0.46, 0.27, 0.3),
		"accent": Color(1.0, 0.62, 0.3), "mote": "res://art/motes/treeBrown_small.png", "mote_tint": Color(1.0, 0.75, 0.35, 0.9),
		"mote_rise": -60.0, "props": ["spikes", "rock"],
		"foes": 8, "blades": 4, "hearts": 3, "boss": ["spades", 1], "vigour": 28, "attack": 5,
	},
]

const CHAMBERS := 3
