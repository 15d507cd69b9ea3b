class_name Progress
extends RefCounted
## What the keeper has achieved since the game was started.

var stars: Array[int] = [0, 0, 0]
var gems: Array[int] = [0, 0, 0]
var unlocked: int = 1


func record(cave: int, earned_stars: int, found_gems: int) -> void:
	stars[cave] = maxi(stars[cave], earned_stars)
	gems[cave] = maxi(gems[cave], found_gems)
	unlocked = clampi(cave + 2, unlocked, stars.size())


func total_stars() -> int:
	return stars[0] + stars[1] + stars[2]


## The cave that "Light the way" leads to: the first one without a star.
func next_cave() -> int:
	for index: int in stars.size():
		if stars[index] == 0:
			return index
	return 0
