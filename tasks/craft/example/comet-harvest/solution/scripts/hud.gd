class_name Hud
extends CanvasLayer
## Everything that is read rather than flown: gauges, banner, rising numbers, title and result card.

signal play_pressed
signal title_pressed

const SPENT := Color(0.42, 0.36, 0.62, 0.6)

var _time: float = 0.0
var _banner_tween: Tween
var _screen_tween: Tween

@onready var _gauges: Control = $Gauges
@onready var _title: Control = $Title
@onready var _result: Control = $Result
@onready var _banner: PanelContainer = $Banner
@onready var _pops: Control = $Pops
@onready var _night: Label = %Night
@onready var _wave: Label = %Wave
@onready var _light: Label = %Light
@onready var _light_bar: ProgressBar = %LightBar
@onready var _shields: HBoxContainer = %Shields
@onready var _multiplier: Label = %Multiplier
@onready var _pips: HBoxContainer = %Pips
@onready var _boost: ProgressBar = %Boost
@onready var _boost_key: Label = %BoostKey


func _ready() -> void:
	%Begin.pressed.connect(play_pressed.emit)
	%Again.pressed.connect(play_pressed.emit)
	%ToTitle.pressed.connect(title_pressed.emit)


## The jewels on the title bob in a slow wave.
func _process(delta: float) -> void:
	_time += delta
	for gem: Control in %Gems.get_children():
		gem.position.y = sin(_time * 3.0 - gem.get_index() * 0.7) * 7.0


func show_title() -> void:
	_show_only(_title)
	%Begin.grab_focus()
	_slide_in(%TitleBox, -60.0)


func show_night(number: int, goal: int) -> void:
	_show_only(_gauges)
	_night.text = "Night %d of 3" % number
	_light.text = ""
	_light_bar.value = 0.0
	_announce("Night %d" % number, "Gather %d light before the meteors wear you down" % goal)


func show_wave(pattern: String) -> void:
	_wave.text = pattern
	_bump(_wave)
	if not _banner.visible:
		pop("%s!" % pattern, Vector2(640, 350), Color(0.5, 0.87, 1.0))


func show_light(light: int, goal: int) -> void:
	var text: String = "%d / %d" % [mini(light, goal), goal]
	if _light.text == text:
		return
	_light.text = text
	_bump(_light)
	create_tween().tween_property(_light_bar, "value", 100.0 * light / goal, 0.25)


func show_shield(left: int) -> void:
	_light_up(_shields, left)


func show_combo(combo: int, multiplier: int) -> void:
	var text: String = "x%d" % multiplier
	if _multiplier.text != text:
		_multiplier.text = text
		_bump(_multiplier)
	_light_up(_pips, combo)


func show_boost(charge: float) -> void:
	_boost.value = charge * 100.0
	_boost_key.modulate = Color.WHITE if charge >= 1.0 else SPENT


## A short word or number that rises from where something happened.
func pop(text: String, at: Vector2, color: Color) -> void:
	var label := Label.new()
	label.text = text
	label.theme_type_variation = &"Number"
	label.add_theme_color_override(&"font_color", color.lightened(0.3))
	_pops.add_child(label)
	label.size = label.get_minimum_size()
	label.position = at - Vector2(label.size.x / 2.0, 80.0)
	label.position.x = clampf(label.position.x, 20.0, 1260.0 - label.size.x)
	# All rise at one speed, so a label that starts clear of the others stays clear of them.
	for other: Label in _pops.get_children():
		if other != label and other.get_rect().intersects(label.get_rect()):
			label.position.y = other.position.y - label.size.y
	var rise: Tween = label.create_tween()
	rise.tween_property(label, "position:y", label.position.y - 60.0, 0.8)
	rise.parallel().tween_property(label, "modulate:a", 0.0, 0.3).set_delay(0.5)
	rise.tween_callback(label.queue_free)


func show_result(won: bool, heading: String, note: String, button: String) -> void:
	_show_only(_result)
	%ResultHeading.text = heading
	%ResultHeading.self_modulate = Color.WHITE if won else Color(1.0, 0.62, 0.6)
	%ResultNote.text = note
	%Again.text = button
	%Stars.visible = won
	%Wreck.visible = not won
	%Confetti.emitting = won
	_slide_in(%Card, 80.0)
	# Not at once: a boost pressed in the heat of the night must not press the button.
	await get_tree().create_timer(0.5).timeout
	if _result.visible:
		%Again.grab_focus()


func show_tally(light: int, goal: int, best_combo: int, shield: int) -> void:
	%GatheredValue.text = "%d / %d" % [mini(light, goal), goal]
	%BestValue.text = "%d in a row" % best_combo
	%ShieldValue.text = "%d of 3" % shield
	_light_up(%Stars, shield)


func _show_only(screen: Control) -> void:
	for other: Control in [_title, _result, _gauges]:
		other.visible = other == screen
	_banner.hide()
	%Confetti.emitting = false
	get_viewport().gui_release_focus()


func _announce(heading: String, note: String) -> void:
	%BannerHeading.text = heading
	%BannerNote.text = note
	_banner.show()
	_banner.modulate.a = 0.0
	if _banner_tween:
		_banner_tween.kill()
	_banner_tween = create_tween()
	_banner_tween.tween_property(_banner, "modulate:a", 1.0, 0.25)
	_banner_tween.tween_interval(1.4)
	_banner_tween.tween_property(_banner, "modulate:a", 0.0, 0.4)
	_banner_tween.tween_callback(_banner.hide)


func _slide_in(box: Control, from: float) -> void:
	if _screen_tween:
		_screen_tween.kill()
	var home: float = (720.0 - box.size.y) / 2.0
	box.position.y = home + from
	box.modulate.a = 0.0
	_screen_tween = create_tween().set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	_screen_tween.tween_property(box, "position:y", home, 0.45)
	_screen_tween.parallel().tween_property(box, "modulate:a", 1.0, 0.3)


## A row of icons as a counter: the first `count` shine, the rest are spent.
func _light_up(row: HBoxContainer, count: int) -> void:
	for i: int in row.get_child_count():
		row.get_child(i).modulate = Color.WHITE if i < count else SPENT


func _bump(label: Control) -> void:
	label.pivot_offset = label.size / 2.0
	label.scale = Vector2.ONE * 1.25
	label.create_tween().tween_property(label, "scale", Vector2.ONE, 0.2)
