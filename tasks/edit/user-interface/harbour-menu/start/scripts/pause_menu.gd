extends Control
## Stops the harbour and offers what can be done meanwhile.

signal music_changed(share: float)
signal bells_changed(on: bool)
signal left

@onready var _first: Control = %Resume


func _ready() -> void:
	hide()


func _input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_cancel"):
		if visible:
			close()
		else:
			open()
		get_viewport().set_input_as_handled()


func open() -> void:
	get_tree().paused = true
	show()
	_first.grab_focus()


func close() -> void:
	get_tree().paused = false
	hide()


func _on_resume_pressed() -> void:
	close()


func _on_music_value_changed(value: float) -> void:
	music_changed.emit(value / 100.0)


func _on_bells_toggled(on: bool) -> void:
	bells_changed.emit(on)


func _on_leave_pressed() -> void:
	left.emit()
