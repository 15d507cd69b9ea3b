class_name Slot
extends PanelContainer
## A place for one kind of item, some of it or none.

signal changed

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


func _ready() -> void:
	_show()


func accepts(an_item: Item) -> bool:
	return only == &"" or an_item.kind == only


func _show() -> void:
	if not is_node_ready():
		return
	$Picture.texture = item.picture if item != null else null
	$Count.text = str(count) if count > 1 else ""
	tooltip_text = item.title if item != null else ""
