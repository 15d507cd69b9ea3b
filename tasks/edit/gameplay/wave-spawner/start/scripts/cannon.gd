extends Node2D
## Shoots at the nearest enemy in reach, as often as its timer says.

signal fired(at: Node2D)

@export var reach := 300.0

@onready var _barrel: Node2D = $Barrel
@onready var _flash: Line2D = $Flash


func _physics_process(delta: float) -> void:
	_flash.modulate.a = maxf(_flash.modulate.a - delta * 4.0, 0.0)


func _on_reload_timeout() -> void:
	var best: Node2D = null
	for enemy: Node2D in get_tree().get_nodes_in_group("enemies"):
		var distance := global_position.distance_to(enemy.global_position)
		if distance <= reach and (best == null or distance < global_position.distance_to(best.global_position)):
			best = enemy
	if best == null:
		return
	_barrel.rotation = (best.global_position - global_position).angle() + PI / 2
	_flash.points = PackedVector2Array([Vector2.ZERO, to_local(best.global_position)])
	_flash.modulate.a = 1.0
	fired.emit(best)
	best.hit()
