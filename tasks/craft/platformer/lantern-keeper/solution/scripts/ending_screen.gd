class_name EndingScreen
extends Screen
## The village, lit from below: the story's last picture.


func build(game: Node, progress: Progress) -> void:
	place_centred(UiKit.headline("The village keeps its light", 68, Color(1.0, 0.88, 0.55)), Vector2(640, 110))
	var stars: Array[Control] = []
	for index: int in 9:
		var star: TextureRect = UiKit.icon(Art.star_icon(), 44)
		star.modulate = Color.WHITE if index < progress.total_stars() else Color(0.25, 0.23, 0.4)
		stars.append(star)
	var words: Label = UiKit.label("Ten torches burn in the deep, and nobody here will fear the night.", 22, UiKit.CREAM, Art.text_font())
	var box: PanelContainer = UiKit.panel()
	box.add_child(UiKit.column(14, [words, UiKit.row(10, stars)]))
	place_centred(box, Vector2(640, 226))
	var again: Button = UiKit.button("Choose a cave", game.show_caves, true)
	var home: Button = UiKit.button("Title", game.show_title)
	place_centred(UiKit.row(22, [again, home]), Vector2(640, 664))
	focus_first([again, home])
