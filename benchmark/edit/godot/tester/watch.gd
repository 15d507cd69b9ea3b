extends RefCounted
# Counts the emissions of one signal, keeps their arguments, and what was sampled when they came.

var count := 0
var emissions: Array[Array] = []
var samples: Array[Array] = []


func last() -> Array:
	return emissions[-1] if not emissions.is_empty() else []


func note(arguments: Array, seen: Array) -> void:
	count += 1
	emissions.append(arguments)
	samples.append(seen)
