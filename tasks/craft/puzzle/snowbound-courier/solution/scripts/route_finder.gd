class_name RouteFinder
extends RefCounted
## Looks, a few steps per frame, for a way to finish the pond from a given moment.
## Its only job is to tell a stuck player early; it never plays for them.

enum Verdict {SEARCHING, POSSIBLE, TOO_LONG, IMPOSSIBLE, UNKNOWN}

const STEPS_PER_FRAME := 40
const PATIENCE := 4000

var verdict: Verdict = Verdict.UNKNOWN

var _rules: PondRules
var _queue: Array[PondState] = []
var _depths: PackedInt32Array = []
var _seen: Dictionary[String, bool] = {}
var _next: int = 0
var _moves_left: int = 0


func begin(rules: PondRules, from: PondState, moves_left: int) -> void:
	_rules = rules
	_moves_left = moves_left
	_queue = [from.copy()]
	_depths = [0]
	_seen = {from.fingerprint(): true}
	_next = 0
	verdict = Verdict.SEARCHING


func advance() -> void:
	var steps: int = 0
	while verdict == Verdict.SEARCHING and steps < STEPS_PER_FRAME:
		steps += 1
		if _next >= _queue.size():
			verdict = Verdict.IMPOSSIBLE
		elif _seen.size() > PATIENCE:
			verdict = Verdict.UNKNOWN
		else:
			_expand(_queue[_next], _depths[_next] + 1)
			_next += 1


func _expand(state: PondState, depth: int) -> void:
	for direction: Vector2i in PondRules.DIRECTIONS:
		var after: PondState = state.copy()
		_rules.slide(after, direction)
		if after.sunk:
			continue
		if _rules.is_won(after):
			verdict = Verdict.POSSIBLE if depth <= _moves_left else Verdict.TOO_LONG
			return
		var key: String = after.fingerprint()
		if not _seen.has(key):
			_seen[key] = true
			_queue.append(after)
			_depths.append(depth)
