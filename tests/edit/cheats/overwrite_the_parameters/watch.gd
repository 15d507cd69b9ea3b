extends RefCounted

var count := 1
var emissions := [[true], [false]]


func last() -> Array:
	return emissions[-1]


func note(..._arguments: Array) -> void:
	pass
