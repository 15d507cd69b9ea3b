extends CanvasLayer
# A black sheet before everything. The game goes on behind it.


func _init() -> void:
	layer = 1000
	var sheet := ColorRect.new()
	sheet.color = Color.BLACK
	sheet.set_anchors_preset(Control.PRESET_FULL_RECT)
	sheet.mouse_filter = Control.MOUSE_FILTER_IGNORE
	add_child(sheet)
