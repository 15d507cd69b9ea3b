class_name TitleScreen
extends Screen
## The first page: the name of the game over a living cave.


func build(game: Node, total_stars: int) -> void:
	var title: Label = UiKit.headline("Lantern Keeper", 104, Color(1.0, 0.86, 0.5))
	place_centred(title, Vector2(640, 172))
	title.pivot_offset = title.get_combined_minimum_size() * 0.5
	var breath: Tween = title.create_tween().set_loops()
	breath.tween_property(title, "scale", Vector2(1.02, 1.02), 1.4).set_trans(Tween.TRANS_SINE)
	breath.tween_property(title, "scale", Vector2.ONE, 1.4).set_trans(Tween.TRANS_SINE)
	var story: Label = UiKit.label("The dark is climbing towards the village. Carry the last flame down and wake the cold torches.",
			22, UiKit.CREAM, Art.text_font())
	story.add_theme_color_override(&"font_outline_color", UiKit.INK)
	story.add_theme_constant_override(&"outline_size", 8)
	place_centred(story, Vector2(640, 262))
	var play: Button = UiKit.button("Light the way", game.play, true)
	play.custom_minimum_size = Vector2(300, 70)
	play.add_theme_font_size_override(&"font_size", 30)
	var caves: Button = UiKit.button("Choose a cave", game.show_caves)
	caves.custom_minimum_size.x = 300
	place_centred(UiKit.column(16, [play, caves]), Vector2(640, 386))
	var purse: PanelContainer = UiKit.panel()
	purse.add_child(UiKit.row(10, [UiKit.icon(Art.star_icon(), 34), UiKit.label("%d / 9" % total_stars, 24)]))
	root.add_child(purse)
	purse.position = Vector2(1280.0 - purse.get_combined_minimum_size().x - 24.0, 20)
	var keys: PanelContainer = UiKit.panel(Color(0.1, 0.09, 0.17, 0.9))
	keys.add_child(UiKit.row(10, [
		UiKit.keycap("LEFT"), UiKit.keycap("RIGHT"), _hint("run"), UiKit.keycap("SPACE"), _hint("leap"),
		UiKit.keycap("UP"), UiKit.keycap("DOWN"), _hint("climb"), UiKit.keycap("E"), _hint("lever"), UiKit.keycap("ESC"), _hint("pause")]))
	place_centred(keys, Vector2(640, 668))
	focus_first([play, caves])


func _hint(text: String) -> Label:
	var line: Label = UiKit.label(text, 20, UiKit.CREAM, Art.text_font())
	line.custom_minimum_size.x = line.get_combined_minimum_size().x + 16.0
	return line
