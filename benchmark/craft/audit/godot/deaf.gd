extends Node
# No input reaches the game: no event, no focus, no action. Polling of keys and pointer is cut from its scripts.


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	process_priority = -10000
	process_physics_priority = -10000


func _enter_tree() -> void:
	_cut_off()


func _physics_process(_delta: float) -> void:
	_cut_off()


func _process(_delta: float) -> void:
	_cut_off()


# Every frame: games add actions and switch input on again while they run.
func _cut_off() -> void:
	get_tree().root.gui_disable_input = true
	for action in InputMap.get_actions():
		InputMap.action_erase_events(action)
