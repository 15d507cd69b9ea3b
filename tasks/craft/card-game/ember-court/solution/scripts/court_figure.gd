class_name CourtFigure
extends Node2D
## A creature, person or thing standing with its feet at this node's origin, perhaps with a crown
## or a fool's cap (lifted from the printed cards) on its head. Breathes a little when alive.

## Picture, the drawn part of it, and where a crown would sit (foot of the crown and its width).
const FIGURES: Dictionary[String, Array] = {
	"mouse": ["creatures/mouse", Rect2(10, 65, 107, 63), Vector2(40, 72), 42.0],
	"slimeGreen": ["creatures/slimeGreen", Rect2(20, 66, 88, 62), Vector2(64, 73), 52.0],
	"slimePurple": ["creatures/slimePurple", Rect2(20, 66, 88, 62), Vector2(64, 73), 52.0],
	"slimeBlue": ["creatures/slimeBlue", Rect2(20, 66, 88, 62), Vector2(64, 74), 50.0],
	"slimeBlock": ["creatures/slimeBlock", Rect2(18, 36, 92, 92), Vector2(64, 42), 66.0],
	"fly": ["creatures/fly", Rect2(11, 25, 106, 82), Vector2(46, 56), 36.0],
	"fishPink": ["creatures/fishPink", Rect2(9, 23, 110, 82), Vector2(34, 46), 46.0],
	"fishGreen": ["creatures/fishGreen", Rect2(9, 23, 110, 82), Vector2(34, 46), 46.0],
	"ladybug": ["creatures/ladybug", Rect2(11, 66, 106, 62), Vector2(72, 73), 48.0],
	"bee": ["creatures/bee", Rect2(13, 22, 102, 88), Vector2(38, 50), 38.0],
	"frog": ["creatures/frog", Rect2(12, 57, 104, 71), Vector2(40, 62), 40.0],
	"saw": ["creatures/saw", Rect2(7, 7, 114, 114), Vector2(64, 10), 40.0],
	"wormGreen": ["creatures/wormGreen", Rect2(6, 86, 116, 42), Vector2(20, 90), 30.0],
	"wormPink": ["creatures/wormPink", Rect2(6, 86, 116, 42), Vector2(20, 90), 30.0],
	"robot_idle": ["creatures/robot_idle", Rect2(15, 37, 66, 91), Vector2(48, 44), 46.0],
	"zombie_idle": ["creatures/zombie_idle", Rect2(13, 26, 68, 102), Vector2(48, 42), 50.0],
	"femalePerson_idle": ["creatures/femalePerson_idle", Rect2(14, 31, 68, 97), Vector2(48, 40), 48.0],
	"malePerson_idle": ["creatures/malePerson_idle", Rect2(13, 33, 70, 95), Vector2(48, 42), 48.0],
	"maleAdventurer_idle": ["creatures/maleAdventurer_idle", Rect2(14, 24, 66, 104), Vector2(46, 42), 48.0],
	"bomb": ["tiles/bomb", Rect2(11, 13, 105, 115), Vector2(64, 20), 40.0],
	"torch1": ["tiles/torch1", Rect2(41, 12, 46, 104), Vector2(64, 16), 40.0],
	"mushroomRed": ["tiles/mushroomRed", Rect2(28, 73, 72, 55), Vector2(64, 76), 40.0],
	"gemRed": ["items/gemRed", Rect2(29, 40, 70, 48), Vector2(64, 44), 40.0],
	"star": ["items/star", Rect2(33, 35, 62, 59), Vector2(64, 40), 40.0],
}
const GEAR_TINT: Dictionary[String, Color] = {"king": UiKit.GOLD, "queen": UiKit.GOLD, "hat": UiKit.BLOOD}

var _body := Node2D.new()
var _clock: float = 0.0
var _alive: bool = true
var _spins: bool = false


func _init() -> void:
	add_child(_body)


## Shows a figure as large as fits into the given box above the origin.
func show_figure(figure: String, gear: String, fit: Vector2, phase: float = 0.0) -> void:
	for old: Node in _body.get_children():
		old.free()
	_clock = phase
	_spins = figure == "saw"
	if figure == "blade":
		_alive = false
		_build_blade(fit.y, Color.WHITE)
		return
	_alive = not ["bomb", "torch1", "mushroomRed", "gemRed"].has(figure)
	var entry: Array = FIGURES[figure]
	var box: Rect2 = entry[1]
	var head: Vector2 = entry[2]
	# A crown adds to the height which has to fit.
	var gear_height: float = entry[3] * 0.62 if gear != "" else 0.0
	var tall: float = maxf(box.size.y, box.end.y - head.y + gear_height)
	var grow: float = minf(fit.x / box.size.x, fit.y / tall)
	var foot := Vector2(box.get_center().x, box.end.y)
	var sprite := Sprite2D.new()
	sprite.texture = UiKit.art(entry[0])
	sprite.centered = false
	sprite.scale = Vector2.ONE * grow
	sprite.position = -foot * grow
	if _spins:
		sprite.centered = true
		sprite.position = Vector2(0, -box.size.y * grow / 2.0)
	_body.add_child(sprite)
	if gear != "":
		_body.add_child(_headgear(gear, (head - foot) * grow, float(entry[3]) * grow))


func _headgear(gear: String, at: Vector2, width: float) -> Sprite2D:
	var sprite := Sprite2D.new()
	sprite.texture = UiKit.printed(gear)
	sprite.material = UiKit.ink(GEAR_TINT[gear])
	sprite.scale = Vector2.ONE * (width / sprite.texture.get_width())
	sprite.position = at - Vector2(0, sprite.texture.get_height() * sprite.scale.y * 0.44)
	return sprite


## The library has no sword, so one is put together: a spike, a plank and a coin.
func _build_blade(height: float, tint: Color) -> void:
	var unit: float = height / 128.0
	var steel := AtlasTexture.new()
	steel.atlas = UiKit.art("tiles/spikes")
	steel.region = Rect2(43, 63, 42, 65)
	var plank := AtlasTexture.new()
	plank.atlas = UiKit.art("tiles/bridgeB")
	plank.region = Rect2(0, 0, 128, 37)
	_part(steel, Vector2(0, -82) * unit, Vector2(0.62, 1.45) * unit).modulate = tint
	_part(plank, Vector2(0, -20) * unit, Vector2(0.17, 0.75) * unit).modulate = Color(0.62, 0.42, 0.36)
	_part(plank, Vector2(0, -36) * unit, Vector2(0.44, 0.36) * unit)
	_part(UiKit.art("items/coinGold"), Vector2(0, -6) * unit, Vector2.ONE * 0.26 * unit)


func _part(texture: Texture2D, at: Vector2, grow: Vector2) -> Sprite2D:
	var sprite := Sprite2D.new()
	sprite.texture = texture
	sprite.position = at
	sprite.scale = grow
	_body.add_child(sprite)
	return sprite


func _process(delta: float) -> void:
	_clock += delta
	if _spins:
		(_body.get_child(0) as Node2D).rotation = _clock * 2.2
	elif _alive:
		var breath: float = sin(_clock * 3.2)
		_body.scale = Vector2(1.0 - breath * 0.025, 1.0 + breath * 0.035)
