class_name CardView
extends Node2D
## One card on the table: face, back, figure, worth and name. It moves, flips, lifts and burns.

const SIZE := Vector2(140, 190)
## Behind the figure of a court card hangs a small painted scene, one per suit.
const SCENES: Dictionary[String, Array] = {
	"clubs": ["tiles/dirtCenter", Color(0.42, 0.62, 0.4)],
	"spades": ["tiles/planetCenter", Color(0.68, 0.64, 0.95)],
	"diamonds": ["tiles/lava", Color(1.0, 0.86, 0.62)],
	"hearts": ["tiles/sandCenter", Color(1.0, 0.74, 0.74)],
}
const CHIP_COLOURS: Dictionary[CourtCard.Kind, Color] = {
	CourtCard.Kind.FOE: Color("a8323c"), CourtCard.Kind.BLADE: Color("3f79ad"),
	CourtCard.Kind.HEART: Color("4f9a3a"), CourtCard.Kind.CHARM: Color("c26a1c"),
}

var card: CourtCard
var home := Vector2.ZERO
var home_scale: float = 1.0

var _lifted: bool = false
var _move: Tween
var _lift: Tween

@onready var _body: Node2D = $Body
@onready var _shadow: Sprite2D = $Body/Shadow
@onready var _glow: Panel = $Body/Glow
@onready var _face: Node2D = $Body/Face
@onready var _print: Sprite2D = $Body/Face/Print
@onready var _scene: Node2D = $Body/Face/Scene
@onready var _backdrop: Sprite2D = $Body/Face/Scene/Backdrop
@onready var _figure: CourtFigure = $Body/Face/Figure
@onready var _chip: Panel = $Body/Face/Chip
@onready var _worth: Label = $Body/Face/Chip/Worth
@onready var _caption: Label = $Body/Face/Caption
@onready var _back: Sprite2D = $Body/Back


func setup(of_card: CourtCard, back: String) -> void:
	card = of_card
	_back.texture = UiKit.art("cards/" + back)
	_shadow.texture = _back.texture
	_print.texture = load(card.face_path())
	_glow.add_theme_stylebox_override("panel", UiKit.flat(Color(1, 0.85, 0.4, 0.35), UiKit.GOLD, 4, 14))
	_glow.visible = false
	_scene.visible = card.is_court()
	var phase: float = card.rank * 0.7 + card.suit.length()
	if card.is_court():
		var entry: Array = SCENES[card.suit]
		($Body/Face/Scene/Patch as Panel).add_theme_stylebox_override("panel", _patch_style())
		_backdrop.texture = UiKit.art(entry[0])
		_backdrop.modulate = entry[1]
		($Body/Face/Scene/Frame as Panel).add_theme_stylebox_override("panel", _frame_style())
		_figure.position = Vector2(0, 58)
		_figure.show_figure(card.figure(), card.gear(), Vector2(78, 112), phase)
	else:
		# Common figures stand on the upper edge of their card, so that all the pips can be read.
		var wide: bool = card.figure().begins_with("worm")
		_figure.position = Vector2(0, -80)
		_figure.show_figure(card.figure(), "", Vector2(92, 30) if wide else Vector2(76, 58), phase)
		if card.figure() == "blade":
			_figure.show_figure("blade", "", Vector2(60, 62.0 + card.rank * 3.0))
			_figure.position.y = -72
	_chip.add_theme_stylebox_override("panel", UiKit.flat(CHIP_COLOURS[card.kind()], UiKit.CREAM, 3, 17))
	_worth.add_theme_font_override("font", UiKit.HEAD)
	_worth.add_theme_font_size_override("font_size", 22)
	_caption.add_theme_font_override("font", UiKit.HEAD)
	_caption.add_theme_font_size_override("font_size", 18)
	_caption.add_theme_color_override("font_color", UiKit.GOLD if card.is_court() else UiKit.CREAM)
	_caption.add_theme_color_override("font_outline_color", Color(UiKit.NIGHT, 0.9))
	_caption.add_theme_constant_override("outline_size", 7)
	_caption.text = card.title()
	show_worth(card.value(), card.value())
	show_back(false)


## White over the printed crown, which would stick out on both sides of the painted scene.
func _patch_style() -> StyleBoxFlat:
	var style := StyleBoxFlat.new()
	style.bg_color = Color.WHITE
	return style


func _frame_style() -> StyleBoxFlat:
	var style := UiKit.flat(Color(0, 0, 0, 0), Color("6b4a2b"), 3, 6)
	style.draw_center = false
	style.shadow_size = 0
	return style


## The chip under the card: green or red digits when something has changed the printed value.
func show_worth(now: int, printed: int) -> void:
	match card.kind():
		CourtCard.Kind.HEART:
			_worth.text = "+%d" % now
		CourtCard.Kind.CHARM:
			_worth.text = "!"
		_:
			_worth.text = str(now)
	var good: bool = now < printed if card.is_foe() else now > printed
	_worth.add_theme_color_override("font_color",
		Color.WHITE if now == printed else (Color("b6ff8f") if good else Color("ffd24a")))


func show_text(caption: bool, chip: bool) -> void:
	_caption.visible = caption
	_chip.visible = chip


## Off where a figure standing on the card's edge would cover what is above, as on the discard.
func show_bystander(on: bool) -> void:
	_figure.visible = on or card.is_court()


func show_back(back: bool) -> void:
	_back.visible = back
	_face.visible = not back


func set_glow(on: bool) -> void:
	_glow.visible = on


## Hovering lifts the card towards the player.
func set_lifted(on: bool) -> void:
	if _lifted == on:
		return
	_lifted = on
	z_index = 3 if on else 0
	_glow.visible = on
	if _lift != null:
		_lift.kill()
	_lift = create_tween().set_parallel().set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	_lift.tween_property(_body, "position:y", -14.0 if on else 0.0, 0.16)
	_lift.tween_property(_body, "scale", Vector2.ONE * (1.07 if on else 1.0), 0.16)
	_lift.tween_property(_shadow, "position", Vector2(10, 22) if on else Vector2(5, 8), 0.16)


func holds(point: Vector2) -> bool:
	var half: Vector2 = SIZE * absf(global_scale.x) / 2.0
	return Rect2(global_position - half, half * 2.0).has_point(point)


func settle(at: Vector2, size: float) -> void:
	home = at
	home_scale = size
	position = at
	scale = Vector2.ONE * size
	rotation = 0.0


## Glides to a new home. Returns the tween, so that the caller may wait for it.
func glide(to: Vector2, size: float, seconds: float, spin: float = 0.0) -> Tween:
	home = to
	home_scale = size
	_fresh_move()
	_move.set_parallel().set_trans(Tween.TRANS_CUBIC).set_ease(Tween.EASE_OUT)
	_move.tween_property(self, "position", to, seconds)
	_move.tween_property(self, "scale", Vector2.ONE * size, seconds)
	_move.tween_property(self, "rotation", spin, seconds)
	return _move


func go_home() -> Tween:
	return glide(home, home_scale, 0.22)


## Turns over in place.
func flip(to_back: bool, seconds: float = 0.2) -> Tween:
	var tween: Tween = create_tween()
	tween.tween_property(_body, "scale:x", 0.02, seconds / 2.0).set_ease(Tween.EASE_IN)
	tween.tween_callback(show_back.bind(to_back))
	tween.tween_property(_body, "scale:x", 1.0, seconds / 2.0).set_ease(Tween.EASE_OUT)
	return tween


## Leaps at a point and springs back.
func lunge(at: Vector2, seconds: float) -> Tween:
	_fresh_move()
	z_index = 6
	_move.tween_property(self, "position", home.lerp(at, 0.45), seconds * 0.45).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_IN)
	_move.tween_property(self, "position", home, seconds * 0.55).set_trans(Tween.TRANS_CUBIC).set_ease(Tween.EASE_OUT)
	_move.tween_property(self, "z_index", 0, 0.0)
	return _move


## Flashes white-hot and shakes, as something does that has been struck.
func flinch(tint: Color) -> void:
	var tween: Tween = create_tween()
	_body.modulate = tint
	tween.tween_property(_body, "rotation", 0.12, 0.05)
	tween.tween_property(_body, "rotation", -0.1, 0.07)
	tween.tween_property(_body, "rotation", 0.0, 0.08)
	tween.parallel().tween_property(_body, "modulate", Color.WHITE, 0.15)


## Chars and crumbles away.
func burn(seconds: float) -> Tween:
	_fresh_move()
	_move.tween_property(self, "modulate", Color(1.0, 0.45, 0.12), seconds * 0.35)
	_move.tween_property(self, "modulate", Color(0.15, 0.05, 0.05, 0.0), seconds * 0.65)
	_move.parallel().tween_property(self, "scale", scale * 0.8, seconds * 0.65)
	_move.parallel().tween_property(self, "position:y", position.y - 30.0, seconds * 0.65)
	return _move


func _fresh_move() -> void:
	if _move != null:
		_move.kill()
	_move = create_tween()
