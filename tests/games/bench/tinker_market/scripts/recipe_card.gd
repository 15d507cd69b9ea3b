class_name RecipeCard
extends PanelContainer
## One recipe: it is busy while its bar fills, then reports the finished item.

signal craft_pressed(card: RecipeCard)
signal finished(recipe: Dictionary)

var recipe: Dictionary
var busy: bool = false
var _left: float = 0.0
var _total: float = 1.0

@onready var _craft: Button = $Rows/Box/Craft
@onready var _bar: ProgressBar = $Rows/Progress
@onready var _icon: TextureRect = $Rows/Box/Icon


func setup(r: Dictionary) -> void:
	recipe = r
	_icon.texture = load("res://art/%s.svg" % r["id"])
	$Rows/Box/Text/Name.text = r["name"]
	for part_id: String in r["needs"]:
		var need := TextureRect.new()
		need.texture = load("res://art/%s.svg" % part_id)
		need.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
		need.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
		need.custom_minimum_size = Vector2(26, 26)
		$Rows/Box/Text/Needs.add_child(need)
	_craft.pressed.connect(func() -> void: craft_pressed.emit(self))


func start(seconds: float) -> void:
	busy = true
	_total = seconds
	_left = seconds


func advance(delta: float) -> void:
	if not busy:
		return
	_left -= delta
	_bar.value = 1.0 - _left / _total
	if _left <= 0.0:
		busy = false
		_bar.value = 0.0
		_pop()
		finished.emit(recipe)


func refresh(state: StallState) -> void:
	_craft.disabled = busy or not state.can_craft(recipe)
	_craft.text = "%.1fs" % _left if busy else "Craft"


func _pop() -> void:
	_icon.pivot_offset = _icon.size / 2.0
	_icon.scale = Vector2(1.35, 1.35)
	create_tween().tween_property(_icon, "scale", Vector2.ONE, 0.4) \
			.set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
