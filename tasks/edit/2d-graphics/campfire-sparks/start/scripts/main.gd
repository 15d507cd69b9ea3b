extends Node2D
## Counts the fires that burn.

@onready var _label: Label = $Hud/Fires


func _process(_delta: float) -> void:
	var burning := get_tree().get_nodes_in_group("fires").filter(func(fire: Node) -> bool: return fire.lit)
	_label.text = "Fires burning: %d" % burning.size()
