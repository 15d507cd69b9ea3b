class_name ClearScreen
extends Screen
## A cave has been won back: three stars, each with the reason it was or was not given.


func build(game: Node, mood: Dictionary, result: Dictionary, last: bool) -> void:
	dim(0.5)
	var slots: Array[Control] = []
	var reasons: Array[String] = ["All %d torches burn" % result.torches, "Gems %d of %d" % [result.gems, result.gem_total],
		"Flame went out" if result.rekindled else "Flame %d, needs 50" % result.flame]
	var icons: Array[Texture2D] = [Art.torch_icon("torch1"), Art.gem_icon(mood.gem), load("res://art/keeper/femaleAdventurer_idle.png")]
	for index: int in 3:
		var star: TextureRect = UiKit.icon(Art.star_icon(), 112)
		var won: bool = result.stars[index]
		star.modulate = Color(0.26, 0.24, 0.38)
		var reason: HBoxContainer = UiKit.row(8, [UiKit.icon(icons[index], 44),
				UiKit.label(reasons[index], 20, UiKit.CREAM if won else UiKit.MUTED, Art.text_font())])
		var slot: VBoxContainer = UiKit.column(2, [star, reason])
		slot.custom_minimum_size.x = 250
		slots.append(slot)
		if won:
			_award(star, 0.45 + 0.4 * index)
	var minutes: String = "%d:%02d" % [int(result.seconds) / 60, int(result.seconds) % 60]
	var onward: Button = UiKit.button("See the village" if last else "Next cave", game.show_ending if last else game.next_cave, true)
	var again: Button = UiKit.button("Play again", game.restart_cave)
	var home: Button = UiKit.button("Title", game.show_title)
	card(UiKit.column(18, [UiKit.headline("%s burns again!" % mood.name, 46, Color(1.0, 0.86, 0.5)),
			UiKit.label("Relit in %s" % minutes, 22, UiKit.MUTED, Art.text_font()), UiKit.row(10, slots),
			UiKit.row(22, [onward, again, home])]), mood.accent)
	focus_first([onward, again, home], 0.6)


func _award(star: TextureRect, delay: float) -> void:
	var tween: Tween = star.create_tween()
	tween.tween_interval(delay)
	tween.tween_callback(func() -> void:
		Fx.burst(root, star.global_position + star.size * 0.5, Art.dot(), Color(1.0, 0.85, 0.3), 20, 340.0, 0.6)
		star.modulate = Color.WHITE
		star.pivot_offset = star.size * 0.5
		star.scale = Vector2(1.9, 1.9))
	tween.tween_property(star, "scale", Vector2.ONE, 0.35).set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
