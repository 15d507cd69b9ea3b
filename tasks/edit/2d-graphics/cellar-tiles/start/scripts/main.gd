extends Node2D
## Shows how the maid is doing.

@onready var _hero: CharacterBody2D = $Hero
@onready var _health: Label = $Hud/Health


func _process(_delta: float) -> void:
	_health.text = "Health %d" % _hero.health
	if _hero.standing_on != "":
		_health.text += "   on %s" % _hero.standing_on
