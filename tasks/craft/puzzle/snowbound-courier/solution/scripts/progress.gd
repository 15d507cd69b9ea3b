class_name Progress
extends RefCounted
## Which ponds are done, with how many stars and in how many moves.

var stars: PackedInt32Array = []
var best: PackedInt32Array = []


func _init() -> void:
	stars.resize(PondLibrary.PONDS.size())
	best.resize(PondLibrary.PONDS.size())


func record(pond: int, earned: int, used: int) -> void:
	stars[pond] = maxi(stars[pond], earned)
	best[pond] = used if best[pond] == 0 else mini(best[pond], used)


func is_open(pond: int) -> bool:
	return pond == 0 or stars[pond - 1] > 0


func is_complete() -> bool:
	return not stars.has(0)


func total() -> int:
	var sum: int = 0
	for count: int in stars:
		sum += count
	return sum


## The first pond still to be done; the last one when all are.
func frontier() -> int:
	var open: int = stars.find(0)
	return open if open >= 0 else stars.size() - 1


## As if every pond before `pond` had been played; used by the named scenarios.
func pretend_done_before(pond: int) -> void:
	for i: int in pond:
		var extra: int = [0, 0, 1, 0, 2, 0, 3, 1][i % 8]
		var used: int = PondLibrary.PONDS[i]["par"] + extra
		record(i, PondLibrary.stars_for(PondLibrary.PONDS[i], used), used)
