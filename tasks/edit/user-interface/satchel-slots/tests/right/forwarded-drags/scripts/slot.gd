class_name Slot
extends PanelContainer
## A place for one kind of item, some of it or none.

signal changed

const LIMIT := 10

## The only kind of item that may lie here; every kind if it is empty.
@export var only := &""

@export var item: Item:
	set(value):
		item = value
		_show()

@export var count := 0:
	set(value):
		count = value
		_show()

var _splitting := false


func _ready() -> void:
	set_drag_forwarding(_begin_drag, _may_drop, _drop)
	_show()


func _input(event: InputEvent) -> void:
	if event.is_action("split"):
		_splitting = event.is_pressed()


func accepts(an_item: Item) -> bool:
	return only == &"" or an_item.kind == only


func _begin_drag(_at: Vector2) -> Variant:
	if item == null:
		return null
	var preview := TextureRect.new()
	preview.texture = item.picture
	preview.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	preview.size = Vector2(72, 72)
	set_drag_preview(preview)
	return {"from": self, "count": _part() if _splitting else count}


func _may_drop(_at: Vector2, data: Variant) -> bool:
	return data is Dictionary and data.get("from") is Slot and _fits(data.from, data.count) > 0


func _drop(_at: Vector2, data: Variant) -> void:
	var from: Slot = data.from
	var dragged := from.item
	var number := _fits(from, data.count)
	if item != null and item != dragged:
		from.item = item
		from.count = count
		item = dragged
		count = number
	else:
		item = dragged
		count += number
		from.count -= number
		if from.count == 0:
			from.item = null
	from.changed.emit()
	changed.emit()
	get_tree().get_first_node_in_group("screen").moved.emit(dragged, number, from, self)


## What a drag with `split` takes.
func _part() -> int:
	return ceili(count / 2.0)


## How many of those that are dragged from another slot can come here.
func _fits(from: Slot, dragged: int) -> int:
	if from == self or not accepts(from.item):
		return 0
	if item == null:
		return dragged
	if item == from.item:
		return mini(dragged, LIMIT - count)
	return dragged if dragged == from.count and from.accepts(item) else 0


func _show() -> void:
	if not is_node_ready():
		return
	$Picture.texture = item.picture if item != null else null
	$Count.text = str(count) if count > 1 else ""
	tooltip_text = item.title if item != null else ""
