extends Node
## Leads from page to page: title, caves, play, outcomes. Owns the progress of this sitting.

## Named states for demonstrations; each opens a cave at a later moment. Torches are numbered row by row, the last
## one that is listed is where the keeper returns to.
const SCENARIOS: Dictionary[String, Dictionary] = {
	"mosswell_lever": {"cave": 0, "lit": [1, 0], "gems": 6, "at": Vector2i(28, 6), "flame": 82.0},
	"frostglass_ferry": {"cave": 1, "lit": [1], "gems": 0, "at": Vector2i(8, 10), "flame": 84.0},
	"violet_lever": {"cave": 2, "lit": [1, 2, 0], "gems": 4, "at": Vector2i(31, 5), "flame": 92.0},
	"last_ember": {"cave": 2, "lit": [1, 2], "gems": 2, "at": Vector2i(19, 10), "flame": 44.0},
}

var _progress := Progress.new()
var _cave: Cave
var _hud: Hud
var _screen: Screen
var _veil := ColorRect.new()


func _ready() -> void:
	Controls.register()
	process_mode = Node.PROCESS_MODE_ALWAYS
	_add_veil()
	var scenario: String = _wanted_scenario()
	if SCENARIOS.has(scenario):
		var state: Dictionary = SCENARIOS[scenario]
		_progress.unlocked = int(state.cave) + 1
		for earlier: int in int(state.cave):
			_progress.stars[earlier] = 2
		start_cave(state.cave, state)
	else:
		show_title()


func _unhandled_input(event: InputEvent) -> void:
	if not event.is_action_pressed(&"pause") or _cave == null or _cave.showcase:
		return
	if _screen is PauseScreen:
		resume()
	elif _screen == null:
		get_tree().paused = true
		var page := PauseScreen.new()
		_open(page)
		page.build(self, _cave)


func show_title() -> void:
	_enter(CaveData.TITLE)
	var page := TitleScreen.new()
	_open(page)
	page.build(self, _progress.total_stars())


func show_caves() -> void:
	_enter(CaveData.TITLE)
	var page := CavesScreen.new()
	_open(page)
	page.build(self, _progress)


func show_ending() -> void:
	_enter(CaveData.VILLAGE)
	var page := EndingScreen.new()
	_open(page)
	page.build(self, _progress)


func play() -> void:
	start_cave(_progress.next_cave())


func next_cave() -> void:
	start_cave(_cave.index + 1)


func restart_cave() -> void:
	start_cave(_cave.index)


func start_cave(index: int, state: Dictionary = {}) -> void:
	_enter(index)
	if not state.is_empty():
		_cave.prepare(state)
	_cave.cleared.connect(_on_cleared)
	_cave.flame_out.connect(_on_flame_out)
	_hud = Hud.new()
	add_child(_hud)
	_hud.process_mode = Node.PROCESS_MODE_PAUSABLE
	_hud.watch(_cave)
	_hud.announce(_cave.mood.banner, Art.tile("torchOff"))


func resume() -> void:
	_open(null)
	get_tree().paused = false


func rekindle() -> void:
	_open(null)
	_cave.rekindle()


func _on_cleared(result: Dictionary) -> void:
	_progress.record(_cave.index, (result.stars as Array).count(true), result.gems)
	var page := ClearScreen.new()
	_open(page)
	page.build(self, _cave.mood, result, _cave.index == 2)


func _on_flame_out() -> void:
	var page := LostScreen.new()
	_open(page)
	page.build(self, _cave)


## Replaces the place that is shown behind every page, under a short veil of darkness.
func _enter(place: int) -> void:
	get_tree().paused = false
	_open(null)
	if _hud:
		_hud.queue_free()
		_hud = null
	if _cave:
		_cave.queue_free()
	_cave = Cave.new()
	_cave.process_mode = Node.PROCESS_MODE_PAUSABLE
	add_child(_cave)
	_cave.build(place)
	# The very first picture needs no veil.
	_veil.modulate.a = 0.9 if get_tree().get_frame() > 1 else 0.0
	_veil.create_tween().tween_property(_veil, "modulate:a", 0.0, 0.35)


func _open(page: Screen) -> void:
	if _screen:
		_screen.queue_free()
	_screen = page
	if page:
		add_child(page)


func _add_veil() -> void:
	var top := CanvasLayer.new()
	top.layer = 50
	add_child(top)
	_veil.color = Color(0.02, 0.02, 0.05)
	_veil.set_anchors_preset(Control.PRESET_FULL_RECT)
	_veil.mouse_filter = Control.MOUSE_FILTER_IGNORE
	top.add_child(_veil)


func _wanted_scenario() -> String:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = arguments.find("--scenario")
	return arguments[at + 1] if at >= 0 and at + 1 < arguments.size() else ""
