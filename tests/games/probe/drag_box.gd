# Tests: drag and drop between controls.
extends ColorRect

var main: Node
var is_target: bool = false


func _get_drag_data(at: Vector2) -> Variant:
	if is_target:
		return null
	main.log_line({"src": "drag_start", "position": main.pair(at)})
	var preview: ColorRect = ColorRect.new()
	preview.size = size * 0.5
	preview.color = color
	set_drag_preview(preview)
	return {"from": String(name)}


func _can_drop_data(at: Vector2, data: Variant) -> bool:
	if not is_target:
		return false
	main.log_line({"src": "can_drop", "position": main.pair(at), "data": data})
	return true


func _drop_data(at: Vector2, data: Variant) -> void:
	main.log_line({"src": "drop", "position": main.pair(at), "data": data})
	color = Color.GREEN
