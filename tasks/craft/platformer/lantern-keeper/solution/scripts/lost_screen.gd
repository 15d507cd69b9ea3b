class_name LostScreen
extends Screen
## The flame went out. The last torch still burns, so there is a way on.


func build(game: Node, cave: Cave) -> void:
	dim(0.62)
	var lit: int = cave.torches_lit()
	var picture: HBoxContainer = UiKit.row(24, [])
	for index: int in cave.torches.size():
		picture.add_child(UiKit.icon(Art.torch_icon("torch1" if index < lit else "torchOff"), 104))
	var comfort: String = "%d of %d torches still burn. The nearest one will share its light." % [lit, cave.torches.size()] if lit > 0 \
			else "No torch burns here yet. Begin again at the mouth of the cave."
	var rekindle: Button = UiKit.button("Rekindle", game.rekindle, true)
	var restart: Button = UiKit.button("Restart cave", game.restart_cave)
	var home: Button = UiKit.button("Title", game.show_title)
	card(UiKit.column(22, [UiKit.headline("The flame went out", 54, Color(0.98, 0.52, 0.4)), picture,
			UiKit.label(comfort, 22, UiKit.CREAM, Art.text_font()), UiKit.row(22, [rekindle, restart, home])]), UiKit.EMBER)
	focus_first([rekindle, restart, home], 0.5)
