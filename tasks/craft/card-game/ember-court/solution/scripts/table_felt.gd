class_name TableFelt
extends Node2D
## The table itself, dressed for a floor: wall, wooden rim, cloth, ornaments, drifting motes.

const RIM := Rect2(14, 76, 1252, 418)


func dress(data: Dictionary) -> void:
	for old: Node in get_children():
		old.queue_free()
	# The wall reaches past the screen, so that a shaken table never shows its end.
	UiKit.tiled(self, UiKit.art("tiles/" + str(data["wall"])), Rect2(-32, -32, 1344, 784), data["wall_tint"])
	UiKit.vignette(self, 0.75)
	UiKit.panel(self, RIM, UiKit.wood(Color(0.78, 0.6, 0.52)))
	# The cloth lies a little inside its dark hem and its bright seam.
	var hem: Rect2 = RIM.grow(-20)
	var seam: StyleBoxFlat = UiKit.flat(Color(data["accent"], 0.75).darkened(0.35), Color(0.07, 0.04, 0.06), 5, 6)
	UiKit.panel(self, hem, seam)
	UiKit.tiled(self, UiKit.art("tiles/" + str(data["felt"])), hem.grow(-8), data["felt_tint"])
	var props: Array = data["props"]
	for side: int in 2:
		var prop: TextureRect = UiKit.picture(self, UiKit.art("tiles/" + str(props[side])), Rect2(0, 0, 54, 54))
		prop.position = Vector2(186 if side == 0 else 1040, 412)
		prop.flip_h = side == 1
		prop.modulate = Color(0.92, 0.88, 0.88)
	UiKit.motes(self, load(data["mote"]), data["mote_tint"], data["mote_rise"], 16)
