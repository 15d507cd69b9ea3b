class_name PauseScreen
extends Screen
## The game holds its breath: resume, begin the cave again, or leave.


func build(game: Node, cave: Cave) -> void:
	dim(0.55)
	var resume: Button = UiKit.button("Resume", game.resume, true)
	var restart: Button = UiKit.button("Restart cave", game.restart_cave)
	var home: Button = UiKit.button("Title", game.show_title)
	card(UiKit.column(18, [UiKit.headline("Resting", 54, Color(1.0, 0.86, 0.5)),
			UiKit.label("%s, %d of %d torches lit" % [cave.mood.name, cave.torches_lit(), cave.torches.size()], 22, UiKit.CREAM, Art.text_font()),
			resume, restart, home]), cave.mood.accent)
	focus_first([resume, restart, home])
