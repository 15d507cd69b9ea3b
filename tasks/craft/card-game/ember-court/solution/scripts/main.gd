extends Control
## Leads from the title to the table to the end and back.

const TITLE: PackedScene = preload("res://scenes/title.tscn")
const TABLE: PackedScene = preload("res://scenes/table.tscn")
const END: PackedScene = preload("res://scenes/end_screen.tscn")
## Every climb has its own shuffle, and the first one of a session is always the same.
const FIRST_SEED := 57
const SEED_STEP := 7919

var _climbs: int = 0
var _screen: Node = null
var _curtain: TextureRect


func _ready() -> void:
	theme = UiKit.theme()
	_curtain = UiKit.tiled(self, UiKit.art("tiles/stoneCenter"), Rect2(0, 0, 1280, 720), Color(0.1, 0.06, 0.09))
	_curtain.z_index = 100
	_curtain.visible = false
	var scenario: String = _asked_scenario()
	if Scenarios.IDS.has(scenario):
		_new_table().call("resume", Scenarios.build(scenario))
	else:
		_to_title()


func _asked_scenario() -> String:
	var words: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = words.find("--scenario")
	return words[at + 1] if at >= 0 and at + 1 < words.size() else ""


func _to_title() -> void:
	var title: Node = _show_screen(TITLE)
	title.connect("begin_asked", _begin_climb)


func _begin_climb() -> void:
	var table: Node = _new_table()
	table.call("begin", CourtRun.new(FIRST_SEED + _climbs * SEED_STEP))
	_climbs += 1


func _new_table() -> Node:
	var table: Node = _show_screen(TABLE)
	table.connect("ended", _to_end)
	table.connect("left", _to_title)
	return table


func _to_end(run: CourtRun) -> void:
	var end: Node = _show_screen(END)
	end.call("show_run", run)
	end.connect("again_asked", _begin_climb)
	end.connect("title_asked", _to_title)


## Swaps screens behind a curtain that lifts off the new one.
func _show_screen(scene: PackedScene) -> Node:
	if _screen != null:
		_screen.queue_free()
		_curtain.visible = true
		_curtain.modulate.a = 1.0
		var tween: Tween = create_tween()
		tween.tween_property(_curtain, "modulate:a", 0.0, 0.35)
		tween.tween_callback(_curtain.hide)
	_screen = scene.instantiate()
	add_child(_screen)
	return _screen
