extends CanvasLayer
## The line at the top of the screen.

@onready var _wave: Label = $Wave
@onready var _hearts: Label = $Hearts
@onready var _message: Label = $Message


func show_wave(number: int) -> void:
	_wave.text = "Wave %d" % number


func show_hearts(count: int) -> void:
	_hearts.text = "Hearts: %d" % count


func show_end() -> void:
	_message.text = "The castle has fallen"
