extends Control
## The rules on one page, told with real cards.

signal closed

const CARD_VIEW: PackedScene = preload("res://scenes/card_view.tscn")
const COLUMNS: Array[Dictionary] = [
	{"head": "Adversaries", "card": ["spades", 9], "text": "Black cards cost you their strength, less what your blade stops."},
	{"head": "Blades", "card": ["diamonds", 8], "text": "Striking dulls the edge. Fling it once for its full printed worth."},
	{"head": "Hearts", "card": ["hearts", 7], "text": "Restore health now, or right-click to carry a red card in the satchel."},
	{"head": "The Court", "card": ["clubs", 12], "text": "Crowned cards bend the rules. Hover over one to read what it does."},
]
const NOTES: Array[String] = [
	"Take three of the five cards, then press on. Clear all five to heal 2.",
	"Adversaries left behind feed the king with 2 vigour each.",
	"You may slip past a chamber, but never two in a row.",
]
const KEYS := "1-5 play    R satchel    X use it    S F B stance    Space slip    Enter press on"

var _age: float = 0.0


func _ready() -> void:
	var shade: TextureRect = UiKit.tiled(self, UiKit.art("tiles/stoneCenter"), Rect2(0, 0, 1280, 720), Color(0.12, 0.08, 0.11, 0.9))
	shade.mouse_filter = Control.MOUSE_FILTER_IGNORE
	UiKit.panel(self, Rect2(60, 24, 1160, 672), UiKit.wood(Color(0.6, 0.44, 0.42)))
	UiKit.label(self, "How to play", Rect2(340, 42, 600, 60), 44, UiKit.GOLD)
	for i: int in COLUMNS.size():
		_column(COLUMNS[i], 223.0 + i * 278.0)
	for i: int in NOTES.size():
		UiKit.picture(self, UiKit.art("items/gemYellow"), Rect2(238, 475 + i * 34, 44, 44))
		UiKit.label(self, NOTES[i], Rect2(292, 480 + i * 34, 760, 34), 21, UiKit.CREAM, false, HORIZONTAL_ALIGNMENT_LEFT)
	UiKit.label(self, KEYS, Rect2(100, 588, 800, 70), 20, UiKit.SAND, false)
	var done: Button = UiKit.button(self, "Got it", Rect2(960, 590, 220, 70), UiKit.EMBER, 30)
	done.pressed.connect(closed.emit)


func _column(column: Dictionary, x: float) -> void:
	UiKit.panel(self, Rect2(x - 128, 106, 256, 364), UiKit.flat(Color(UiKit.NIGHT, 0.72), Color("8a6038"), 3, 16))
	UiKit.label(self, column["head"], Rect2(x - 124, 112, 248, 36), 26, UiKit.GOLD)
	var view: CardView = CARD_VIEW.instantiate()
	add_child(view)
	view.setup(CourtCard.new(column["card"][0], column["card"][1]), "cardBack_red4")
	view.settle(Vector2(x, 268), 0.78)
	view.show_text(false, true)
	UiKit.paragraph(self, column["text"], Rect2(x - 116, 360, 232, 104), 19)


func _process(delta: float) -> void:
	_age += delta


func _unhandled_input(event: InputEvent) -> void:
	# The key that opened this page must not close it again.
	if _age < 0.1 or not event is InputEventKey or not event.is_pressed() or event.is_echo():
		return
	if [KEY_H, KEY_ESCAPE, KEY_ENTER, KEY_SPACE].has((event as InputEventKey).keycode):
		get_viewport().set_input_as_handled()
		closed.emit()
