class_name TopBar
extends Node2D
## Which floor, which chamber, and the two small buttons for help and leaving.

signal help_asked
signal leave_asked

var _gems: Array[TextureRect] = []
var _name: Label
var _steps: Array[TextureRect] = []
var _crown: TextureRect
var _chamber: Label


func _ready() -> void:
	UiKit.panel(self, Rect2(16, 8, 470, 60), UiKit.flat(Color(UiKit.NIGHT, 0.88), Color("8a6038"), 3, 16))
	for i: int in Floors.ALL.size():
		_gems.append(UiKit.picture(self, UiKit.art("items/" + str(Floors.ALL[i]["gem"])), Rect2(22 + i * 46, 6, 64, 64)))
	_name = UiKit.label(self, "", Rect2(176, 12, 304, 52), 24, UiKit.CREAM, true, HORIZONTAL_ALIGNMENT_LEFT)
	UiKit.panel(self, Rect2(502, 8, 420, 60), UiKit.flat(Color(UiKit.NIGHT, 0.88), Color("8a6038"), 3, 16))
	for i: int in Floors.CHAMBERS:
		_steps.append(UiKit.picture(self, null, Rect2(514 + i * 38, 8, 56, 56)))
	_crown = UiKit.symbol(self, "king", Rect2(640, 18, 46, 40), UiKit.GOLD)
	_chamber = UiKit.label(self, "", Rect2(694, 12, 222, 52), 23, UiKit.CREAM)
	var help: Button = UiKit.button(self, "Rules  H", Rect2(996, 10, 130, 56), Color("4d6d8f"), 22)
	help.pressed.connect(help_asked.emit)
	var leave: Button = UiKit.button(self, "Leave", Rect2(1136, 10, 128, 56), Color("8a5a34"), 22)
	leave.pressed.connect(leave_asked.emit)


func refresh(run: CourtRun) -> void:
	var data: Dictionary = run.floor_data()
	_name.text = "Floor %s  %s" % [data["numeral"], data["name"]]
	_name.add_theme_color_override("font_color", data["accent"])
	for i: int in _gems.size():
		_gems[i].modulate = Color.WHITE if i <= run.floor_index else Color(0.25, 0.22, 0.27)
	for i: int in _steps.size():
		var lit: bool = i <= run.chamber or run.in_boss_chamber()
		_steps[i].texture = UiKit.art("tiles/torch1" if lit else "tiles/torchOff")
		_steps[i].modulate = Color.WHITE if lit else Color(0.6, 0.55, 0.6)
	_crown.modulate.a = 1.0 if run.in_boss_chamber() else 0.4
	_chamber.text = "The king's seat" if run.in_boss_chamber() else "Chamber %d of %d" % [mini(run.chamber + 1, 3), Floors.CHAMBERS]
