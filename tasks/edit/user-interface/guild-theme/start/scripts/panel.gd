extends PanelContainer
## A panel of the guild hall: tells which of its buttons was pressed.

signal chosen(text: String)


func _ready() -> void:
	for node in find_children("*", "Button"):
		var button: Button = node
		button.pressed.connect(func() -> void: chosen.emit(button.text))
