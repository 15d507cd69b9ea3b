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

var _dragged := 0
var _preview: TextureRect


func _ready() -> void:
	_show()


func accepts(an_item: Item) -> bool:
	return only == &"" or an_item.kind == only


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_LEFT and event.pressed and item != null:
		_dragged = _part() if Input.is_action_pressed("split") else count
		_preview = TextureRect.new()
		_preview.texture = item.picture
		_preview.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
		_preview.size = Vector2(72, 72)
		_preview.mouse_filter = MOUSE_FILTER_IGNORE
		_preview.top_level = true
		_preview.global_position = get_global_mouse_position()
		get_tree().get_first_node_in_group("screen").add_child(_preview)
		accept_event()


func _process(_delta: float) -> void:
	if _preview == null:
		return
	var place := get_global_mouse_position()
	_preview.global_position = place
	if Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT):
		return
	_preview.queue_free()
	_preview = null
	for slot: Slot in get_tree().get_nodes_in_group("slots"):
		if slot.get_global_rect().has_point(place) and slot._fits(self, _dragged) > 0:
			slot._take(self, _dragged)
			return


func _take(from: Slot, dragged_count: int) -> void:
	var dragged := from.item
	var number := _fits(from, dragged_count)
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
