class_name PondState
extends RefCounted
## One moment of a pond: small enough to copy for every undo step and every searched route.

const NOWHERE := Vector2i(-99, -99)

var courier: Vector2i
var parcels: Array[Vector2i] = []
## Bits: parcels on their flags, colours whose switch has been flipped,
## and cells that were used up (broken ice, opened locks, taken keys).
var delivered: int = 0
var toggled: int = 0
var spent: int = 0
var held: PackedInt32Array = [0, 0]
var sunk: bool = false


func copy() -> PondState:
	var twin := PondState.new()
	twin.courier = courier
	twin.parcels = parcels.duplicate()
	twin.delivered = delivered
	twin.toggled = toggled
	twin.spent = spent
	twin.held = held.duplicate()
	twin.sunk = sunk
	return twin


## Two moments with the same text play out the same. Held keys follow from the spent cells.
func fingerprint() -> String:
	return "%s%s%d/%d/%d" % [courier, parcels, delivered, toggled, spent]
