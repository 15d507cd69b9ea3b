extends Node2D
## A bed of earth with at most one crop on it. Age 0 is just sown, RIPE can be harvested.

const RIPE := 3
const SPROUT := preload("res://art/crops/grass_sprout.png")
const PICTURES := {
	"mushroom": preload("res://art/crops/mushroomRed.png"),
	"cactus": preload("res://art/crops/cactus.png"),
	"plum": preload("res://art/crops/plantPurple.png"),
}

var crop := ""  ## empty for a bed on which nothing grows
var age := 0

@onready var _plant: Sprite2D = $Plant


func _ready() -> void:
	refresh()


func sow(what: String) -> void:
	crop = what
	age = 0
	refresh()


func grow() -> void:
	if crop != "":
		age = mini(age + 1, RIPE)
		refresh()


## Takes the ripe crop away and tells what it was.
func harvest() -> String:
	var what := crop
	crop = ""
	age = 0
	refresh()
	return what


func is_ripe() -> bool:
	return crop != "" and age == RIPE


## Shows what grows here.
func refresh() -> void:
	_plant.visible = crop != ""
	if crop != "":
		_plant.texture = SPROUT if age < 2 else PICTURES[crop]
		_plant.scale = Vector2.ONE * [0.45, 0.75, 0.5, 0.85][age]
