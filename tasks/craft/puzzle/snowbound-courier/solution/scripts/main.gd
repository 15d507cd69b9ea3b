extends Node
## Changes screens behind a flurry of snow, keeps the progress, understands `--scenario`.

const FADE_SECONDS := 0.22
## Named starting points: the pond and the slides already made in it. The map opens when there is none.
## Besides these, pond_1 to pond_12 open a pond from the start.
const SCENARIOS: Dictionary[String, Array] = {
	"map_halfway": [],
	"thin_ice": [4, ""],
	"last_moves": [8, "UDRLRUDLRUD"],
	"last_pond": [11, ""],
}

var _progress := Progress.new()
var _pond: int = 0
var _screen: Node
var _pending: Callable
var _fade: float = 0.0
var _rising: bool = false

@onready var _curtain: Control = $Curtain/Flurry


func _ready() -> void:
	_dress_curtain()
	var args: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = args.find("--scenario")
	var wish: String = args[at + 1] if at >= 0 and at + 1 < args.size() else ""
	if wish in SCENARIOS:
		_start_scenario(SCENARIOS[wish])
	elif wish.begins_with("pond_"):
		_start_scenario([clampi(wish.to_int(), 1, PondLibrary.PONDS.size()) - 1, ""])
	else:
		_show_title()


func _process(delta: float) -> void:
	if _rising:
		_fade = minf(1.0, _fade + delta / FADE_SECONDS)
		if _fade >= 1.0:
			_rising = false
			_pending.call()
	else:
		_fade = maxf(0.0, _fade - delta / FADE_SECONDS)
	_curtain.modulate.a = _fade
	_curtain.visible = _fade > 0.0


## Fresh snow with the courier hurrying to the next place.
func _dress_curtain() -> void:
	_curtain.modulate.a = 0.0
	_curtain.add_child(Art.snow_ground(Rect2(0, 0, 1280, 720), Color("dff0fb")))
	_curtain.add_child(Art.sprite(Art.dot(), Vector2(640, 412), 190, Color(0.2, 0.35, 0.6, 0.25)))
	_curtain.add_child(Art.sprite(Art.courier("walk0"), Vector2(640, 350), 110))
	_curtain.add_child(Art.sprite(Art.drift(), Vector2(560, 414), 170))
	_curtain.add_child(Art.sprite(Art.drift(), Vector2(690, 418), 200))


func _start_scenario(scenario: Array) -> void:
	if scenario.is_empty():
		_progress.pretend_done_before(6)
		_show_map()
		return
	_progress.pretend_done_before(scenario[0])
	_pond = scenario[0]
	_show_pond()
	(_screen as PlayScreen).fast_forward(scenario[1])


func _change_to(show: Callable) -> void:
	if _rising:
		return
	_pending = show
	_rising = true


func _swap(screen: Node) -> void:
	if _screen != null:
		_screen.queue_free()
	_screen = screen
	add_child(screen)


func _show_title() -> void:
	var title := TitleScreen.new()
	_swap(title)
	title.setup(_progress)
	title.left.connect(_on_left_title)


func _show_map() -> void:
	var map := MapScreen.new()
	_swap(map)
	map.setup(_progress, _pond if _progress.stars[_pond] == 0 else _progress.frontier())
	map.left.connect(func(_action: StringName) -> void: _change_to(_show_title))
	map.pond_chosen.connect(_on_pond_chosen)


func _show_pond() -> void:
	var play := PlayScreen.new()
	_swap(play)
	play.setup(_pond, _progress.best[_pond])
	play.finished.connect(_progress.record)
	play.left.connect(_on_left_pond)


func _show_finale() -> void:
	var finale := FinaleScreen.new()
	_swap(finale)
	finale.setup(_progress)
	finale.left.connect(func(action: StringName) -> void: _change_to(_show_map if action == &"map" else _show_title))


func _on_left_title(action: StringName) -> void:
	if action == &"play":
		_pond = _progress.frontier()
		_change_to(_show_pond)
	else:
		_change_to(_show_map)


func _on_pond_chosen(pond: int) -> void:
	_pond = pond
	_change_to(_show_pond)


func _on_left_pond(action: StringName) -> void:
	if action == &"next":
		if _pond + 1 < PondLibrary.PONDS.size():
			_pond += 1
			_change_to(_show_pond)
		else:
			_change_to(_show_finale)
	else:
		_change_to(_show_map)
