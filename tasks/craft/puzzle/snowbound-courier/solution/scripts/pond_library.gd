class_name PondLibrary
extends Object
## The twelve ponds, in the order in which they are learned. See PondRules.LEGEND for the letters;
## besides: @ courier, abc parcels, ABC their flags, k and j the yellow and the red key.

const REGIONS: Array[Dictionary] = [
	{"name": "Mill Pond"},
	{"name": "Pinewood Tarn"},
	{"name": "Lantern Lake"},
]

## `par` is the shortest route there is, `budget` the moves one may use.
const PONDS: Array[Dictionary] = [
	{
		"name": "First Glide", "region": 0, "par": 4, "budget": 10, "icon": "courier",
		"tip": "Once moving, you glide until something stops you.",
		"blurb": "Out of the post office and onto the ice.",
		"rows": [
			"#########",
			"##....T##",
			"#.......#",
			"#.......#",
			"#..a...A#",
			"##....@##",
			"#########",
		],
	},
	{
		"name": "Soft Landing", "region": 0, "par": 5, "budget": 10, "icon": "powder",
		"tip": "Fresh powder catches whatever slides into it.",
		"blurb": "A drift in the right place is a brake.",
		"rows": [
			"#########",
			"##.....##",
			"#.T...A@#",
			"#.......#",
			"#.....a.#",
			"##.._..##",
			"#########",
		],
	},
	{
		"name": "Two Doorsteps", "region": 0, "par": 6, "budget": 11, "icon": "parcel",
		"tip": "Each seal belongs to the flag of its colour.",
		"blurb": "Two parcels, two neighbours.",
		"rows": [
			"##########",
			"##......##",
			"#........#",
			"#T.O.....#",
			"#.@.aA...#",
			"#B....b..#",
			"##.....O##",
			"##########",
		],
	},
	{
		"name": "Miller's Key", "region": 0, "par": 8, "budget": 13, "icon": "key",
		"tip": "Glide over the key, then straight into its lock.",
		"blurb": "The mill pond is fenced in two.",
		"rows": [
			"##########",
			"##...#..##",
			"#....#a..#",
			"#..@k#...#",
			"#....K...#",
			"#...O#A..#",
			"##...#..##",
			"##########",
		],
	},
	{
		"name": "Thin Ice", "region": 1, "par": 8, "budget": 13, "icon": "thin",
		"tip": "Cracked ice holds once, then it is open water.",
		"blurb": "One crossing each. Choose them well.",
		"rows": [
			"###########",
			"##O..~...##",
			"#....~....#",
			"#..a.~O...#",
			"#...T~@...#",
			"#T...~....#",
			"##...~A..##",
			"###########",
		],
	},
	{
		"name": "The Green Button", "region": 1, "par": 8, "budget": 13, "icon": "switch",
		"tip": "Gliding across a button swaps every gate of its colour.",
		"blurb": "Something clicks under the snow.",
		"rows": [
			"###########",
			"##......###",
			"#@.gT...###",
			"###G#######",
			"#.......A.#",
			"#.a.......#",
			"##.......##",
			"###########",
		],
	},
	{
		"name": "In and Out", "region": 1, "par": 11, "budget": 16, "icon": "gate",
		"tip": "One gate opens while the other shuts.",
		"blurb": "Two gates that never agree.",
		"rows": [
			"###########",
			"##...#...##",
			"#OT..#B...#",
			"#ga..G...A#",
			"#....#.b.@#",
			"#..T.h....#",
			"##...#...##",
			"###########",
		],
	},
	{
		"name": "Boathouse Door", "region": 1, "par": 11, "budget": 16, "icon": "lock",
		"tip": "The lock guards the button, the button guards the parcel.",
		"blurb": "First the key, then the button.",
		"rows": [
			"############",
			"##...#....##",
			"#T.@.#....g#",
			"#._..K.....#",
			"#.O..#####G#",
			"#...a..k...#",
			"#.........A#",
			"##........##",
			"############",
		],
	},
	{
		"name": "A Full Sledge", "region": 2, "par": 11, "budget": 16, "icon": "parcel",
		"tip": "Parcels break thin ice too. Keep a lane whole.",
		"blurb": "Three parcels and a frail seam.",
		"rows": [
			"############",
			"####....####",
			"##...~....##",
			"#...A~OT.C.#",
			"#.B..~..c.O#",
			"#...a~b....#",
			"##...~@...##",
			"####....####",
			"############",
		],
	},
	{
		"name": "Two Colours", "region": 2, "par": 13, "budget": 18, "icon": "switch_red",
		"tip": "Green buttons work green gates, red buttons red ones.",
		"blurb": "Signals blink across the dusk.",
		"rows": [
			"############",
			"##...#....##",
			"#....#....r#",
			"#..BbG.g...#",
			"#....#...O@#",
			"###q####R###",
			"#.Aa.....T.#",
			"##....O...##",
			"############",
		],
	},
	{
		"name": "Fisher's Steps", "region": 2, "par": 15, "budget": 20, "icon": "key_red",
		"tip": "Pick up what you need before the seam is gone.",
		"blurb": "Key, button and cracks on one lake.",
		"rows": [
			"############",
			"##...~....##",
			"#...T~.g..j#",
			"#...B~_.@O.#",
			"####G###J###",
			"#..T...b...#",
			"#..A....a..#",
			"##......O.##",
			"############",
		],
	},
	{
		"name": "Last Post", "region": 2, "par": 15, "budget": 21, "icon": "flag",
		"tip": "Everything you have learned lies between you and home.",
		"blurb": "The last two parcels of the winter.",
		"rows": [
			"############",
			"##..k#..A.##",
			"#....#.a...#",
			"#....K..T..#",
			"#...O#.T...#",
			"##G###~~~~~#",
			"#...B~b...g#",
			"##...~..@.##",
			"############",
		],
	},
]


## Moves that still earn three, two and one star.
static func thresholds(pond: Dictionary) -> PackedInt32Array:
	return [pond["par"], pond["par"] + 2, pond["budget"]]


static func stars_for(pond: Dictionary, used: int) -> int:
	var limits: PackedInt32Array = thresholds(pond)
	return 3 if used <= limits[0] else 2 if used <= limits[1] else 1


## The picture of what a pond is about.
static func icon(pond: Dictionary) -> Texture2D:
	match pond["icon"]:
		"powder":
			return Art.drift()
		"parcel":
			return Art.tile("boxCrate_double")
		"key":
			return Art.part(Art.item("keyYellow"), Rect2(16, 16, 96, 96))
		"key_red":
			return Art.part(Art.item("keyRed"), Rect2(16, 16, 96, 96))
		"thin":
			return Art.tile("waterTop_low")
		"switch":
			return Art.tile("switchGreen")
		"switch_red":
			return Art.tile("switchRed")
		"gate":
			return Art.part(Art.tile("spikes"), Rect2(0, 60, 128, 68))
		"lock":
			return Art.tile("lockYellow")
		"flag":
			return Art.item("flagGreen1")
	return Art.courier("walk0")
