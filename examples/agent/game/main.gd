extends ColorRect
# The title of the task, and another colour at each press of space.


func _ready() -> void:
	$Title.text = FileAccess.get_file_as_string("res://title.txt")


func _unhandled_key_input(event: InputEvent) -> void:
	if event.is_pressed() and event.keycode == KEY_SPACE:
		color.h = fmod(color.h + 0.2, 1.0)
