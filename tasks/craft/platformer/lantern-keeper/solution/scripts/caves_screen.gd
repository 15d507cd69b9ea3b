class_name CavesScreen
extends Screen
## One card per cave: its stone, its creatures, the stars won there; closed until the one before is relit.


func build(game: Node, progress: Progress) -> void:
	dim(0.35)
	place_centred(UiKit.headline("Choose a cave", 60, Color(1.0, 0.86, 0.5)), Vector2(640, 96))
	var cards: Array[Control] = []
	var buttons: Array[Button] = []
	for index: int in 3:
		var mood: Dictionary = CaveData.MOODS[index]
		var open: bool = index < progress.unlocked
		var enter: Button = UiKit.button("Enter" if open else "Still dark", game.start_cave.bind(index), open)
		enter.custom_minimum_size.x = 220
		enter.disabled = not open
		enter.focus_mode = Control.FOCUS_ALL if open else Control.FOCUS_NONE
		buttons.append(enter)
		var stars: Array[Control] = []
		for star: int in 3:
			var picture: TextureRect = UiKit.icon(Art.star_icon(), 46)
			picture.modulate = Color.WHITE if star < progress.stars[index] else Color(0.3, 0.28, 0.42)
			stars.append(picture)
		var box := PanelContainer.new()
		var style: StyleBoxFlat = UiKit.panel_style(mood.sky[0].lerp(UiKit.INK, 0.35), mood.accent if open else Color(0.35, 0.33, 0.45), 24, 4)
		style.set_content_margin_all(24.0)
		box.add_theme_stylebox_override(&"panel", style)
		box.add_child(UiKit.column(12, [UiKit.label("Cave " + mood.numeral, 22, mood.accent), UiKit.label(mood.name, 30),
				_picture(mood, open), UiKit.row(12, stars), enter]))
		box.custom_minimum_size = Vector2(340, 0)
		cards.append(box)
	place_centred(UiKit.row(32, cards), Vector2(640, 372))
	var back: Button = UiKit.button("Back", game.show_title)
	place_centred(back, Vector2(640, 656))
	focus_first(buttons)


func _picture(mood: Dictionary, open: bool) -> Control:
	var strip: HBoxContainer = UiKit.row(0, [])
	for part: String in ["Left", "Mid", "Right"]:
		strip.add_child(UiKit.icon(Art.tile(mood.tiles + part), 84))
	var actors: HBoxContainer = UiKit.row(6, [UiKit.icon(Art.creature(mood.crawler), 76),
			UiKit.icon(Art.torch_icon("torch1" if open else "torchOff"), 84), UiKit.icon(Art.gem_icon(mood.gem), 56)])
	var picture: VBoxContainer = UiKit.column(0, [actors, strip])
	picture.modulate = Color.WHITE if open else Color(0.42, 0.42, 0.55)
	return picture
