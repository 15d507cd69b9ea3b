class_name CustomerSlot
extends PanelContainer
## A place in the queue. It is either empty or holds one waiting customer.

signal serve_pressed(slot: CustomerSlot)
signal left_unserved(slot: CustomerSlot)

const FACES: Array[Texture2D] = [
	preload("res://art/customer_fox.svg"),
	preload("res://art/customer_badger.svg"),
	preload("res://art/customer_owl.svg"),
	preload("res://art/customer_frog.svg"),
]

var recipe: Dictionary = {}
var _wait_left: float = 0.0
var _wait_total: float = 1.0
var _sway: float = 0.0

@onready var _item: TextureRect = $Rows/Wants/Item
@onready var _pays: Label = $Rows/Wants/Pays
@onready var _face: TextureRect = $Rows/Face
@onready var _mood: Label = $Rows/Mood
@onready var _bar: ProgressBar = $Rows/Patience
@onready var _serve: Button = $Rows/Serve


func _ready() -> void:
	_serve.pressed.connect(func() -> void: serve_pressed.emit(self))
	clear()


func is_free() -> bool:
	return recipe.is_empty()


func patience() -> float:
	return _wait_left / _wait_total


func welcome(r: Dictionary, pays: int, seconds: float) -> void:
	recipe = r
	_wait_left = seconds
	_wait_total = seconds
	_sway = randf() * TAU
	_item.texture = load("res://art/%s.svg" % r["id"])
	_pays.text = "%d" % pays
	_face.texture = FACES[randi() % FACES.size()]
	_face.modulate.a = 0.0
	create_tween().tween_property(_face, "modulate:a", 1.0, 0.35)


func clear() -> void:
	recipe = {}
	_item.texture = null
	_face.texture = null
	_pays.text = ""
	_mood.text = "..."
	_bar.value = 0.0


func advance(delta: float) -> void:
	if is_free():
		return
	_wait_left -= delta
	_sway += delta * 2.0
	_face.pivot_offset = _face.size * Vector2(0.5, 1.0)
	_face.rotation = sin(_sway) * 0.05
	_bar.value = patience()
	_bar.modulate = Color(1.0, 0.45, 0.4).lerp(Color.WHITE, patience())
	_mood.text = "waiting %.0fs" % maxf(_wait_left, 0.0)
	if _wait_left <= 0.0:
		left_unserved.emit(self)
		clear()


func refresh(state: StallState) -> void:
	_serve.disabled = is_free()
	var ready_to_sell: bool = not is_free() and state.shelf[recipe["id"]] > 0
	_serve.modulate = Color(1.15, 1.1, 0.8) if ready_to_sell else Color.WHITE
