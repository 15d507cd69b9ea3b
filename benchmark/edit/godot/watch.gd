extends RefCounted
# Counts the emissions of one signal and keeps their arguments.

var count := 0
var emissions: Array[Array] = []


func last() -> Array:
	return emissions[-1] if not emissions.is_empty() else []


func note(...arguments: Array) -> void:
	count += 1
	emissions.append(arguments)
