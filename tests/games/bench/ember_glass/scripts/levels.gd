class_name Levels
extends RefCounted
## Boards as text. > < ^ v ember   / \ mirror   S Z splitter (as / or \)
## X crystal   # stone   . bare glass

const SIZE := Vector2i(8, 6)

const BOARDS: Array[Array] = [
	[
		"........",
		".>../...",
		"......#.",
		"..#.....",
		"..../..X",
		".#......",
	],
	[
		"......\\X",
		".#......",
		">..S..\\.",
		".#...#..",
		"X..\\....",
		"....#...",
	],
	[
		".v..#.\\.",
		"........",
		"./..S.X.",
		"..#....#",
		"X...Z...",
		".#../..X",
	],
]
