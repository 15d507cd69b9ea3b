class_name LightField
extends Sprite2D
## The dark: a coarse grid of light levels over the view, multiplied into the picture.
## Every source of light brightens the cells around it; the smooth edges come from texture filtering.

const CELL := 64.0
const COLUMNS := 36
const ROWS := 22

var ambient := Color(0.25, 0.3, 0.4)
## How much of the cave has been won back, 0 to 1: each burning torch lifts the dark everywhere a little.
var dawn: float = 0.0

var _levels := PackedFloat32Array()
var _bytes := PackedByteArray()
var _image: Image


func _ready() -> void:
	_levels.resize(COLUMNS * ROWS)
	_bytes.resize(COLUMNS * ROWS * 3)
	_image = Image.create_empty(COLUMNS, ROWS, false, Image.FORMAT_RGB8)
	texture = ImageTexture.create_from_image(_image)
	centered = false
	scale = Vector2(CELL, CELL)
	z_index = 50
	material = CanvasItemMaterial.new()
	(material as CanvasItemMaterial).blend_mode = CanvasItemMaterial.BLEND_MODE_MUL


## Each light is (x, y, radius, strength); centre is the middle of the view.
func refresh(centre: Vector2, lights: Array[Vector4]) -> void:
	var origin: Vector2 = (centre / CELL).floor() - Vector2(COLUMNS / 2.0, ROWS / 2.0).floor()
	position = origin * CELL
	_levels.fill(0.0)
	for light: Vector4 in lights:
		_shine(Vector2(light.x, light.y) / CELL - origin, light.z / CELL, light.w)
	var base: Color = ambient.lerp(Color(0.8, 0.76, 0.78), dawn * 0.55)
	for index: int in _levels.size():
		var level: float = minf(_levels[index], 1.0)
		# Red arrives first and blue last, so the rim of every light is warm.
		_bytes[index * 3] = int(255.0 * (base.r + (1.0 - base.r) * minf(level * 1.35, 1.0)))
		_bytes[index * 3 + 1] = int(255.0 * (base.g + (0.97 - base.g) * level))
		_bytes[index * 3 + 2] = int(255.0 * (base.b + (0.88 - base.b) * level * level))
	_image.set_data(COLUMNS, ROWS, false, Image.FORMAT_RGB8, _bytes)
	(texture as ImageTexture).update(_image)


func _shine(at: Vector2, radius: float, strength: float) -> void:
	if radius <= 0.0:
		return
	var reach: float = radius * radius
	for row: int in range(maxi(int(at.y - radius), 0), mini(int(at.y + radius) + 1, ROWS)):
		for column: int in range(maxi(int(at.x - radius), 0), mini(int(at.x + radius) + 1, COLUMNS)):
			var dx: float = column + 0.5 - at.x
			var dy: float = row + 0.5 - at.y
			var fade: float = 1.0 - (dx * dx + dy * dy) / reach
			if fade > 0.0:
				_levels[row * COLUMNS + column] += strength * fade * (1.5 - 0.5 * fade) * minf(fade * 2.0, 1.0)
