class_name IngredientRow
extends PanelContainer

signal buy_pressed(part: Dictionary)

var part: Dictionary

@onready var _stock: Label = $Box/Text/Stock
@onready var _buy: Button = $Box/Buy


func setup(p: Dictionary) -> void:
	part = p
	$Box/Icon.texture = load("res://art/%s.svg" % p["id"])
	$Box/Text/Name.text = p["name"]
	_buy.text = "Buy  %d" % int(p["price"])
	_buy.pressed.connect(func() -> void: buy_pressed.emit(part))


func refresh(state: StallState) -> void:
	_stock.text = "in stock: %d" % state.parts[part["id"]]
	_buy.disabled = state.coins < int(part["price"])
