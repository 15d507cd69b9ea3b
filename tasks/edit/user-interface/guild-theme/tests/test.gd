extends RefCounted
# Every control is asked what it is drawn with, the theme is changed while the game runs, and the picture is looked at.

const THEME := "res://hud/guild.tres"
const FONT := "res://art/fonts/FredokaOne-Regular.ttf"
const PLAIN := {"normal": "normal", "hover": "hover", "pressed": "pressed", "disabled": "disabled"}
const TEXTS := {"font_color": "text", "font_focus_color": "text", "font_hover_color": "lit", "font_pressed_color": "lit", "font_disabled_color": "dim"}


func test_fonts(t):
	await t.open()
	t.equal("the three panels are there", t.all("PanelContainer", null, {"signal": "chosen"}).size(), 3)
	for one in t.all("Label") + t.all("Button"):
		var font = one.get_theme_font("font")
		t.check("all texts have the asked font", font != null and font.resource_path == FONT,
				func(): return "%s has %s" % [_where(t, one), font.resource_path if font != null and font.resource_path != "" else "the engine's font"])
		if str(one.name) != "Title":
			t.check("all texts but the headings have the asked size", one.get_theme_font_size("font_size") == int(t.parameter("size")),
					func(): return "%s has the size %d, expected %d" % [_where(t, one), one.get_theme_font_size("font_size"), int(t.parameter("size"))])
	for label in _labels(t):
		t.check("labels have the asked colour", _is(t, label.get_theme_color("font_color"), "text"), func(): return "%s has %s" % [_where(t, label), _html(label, "font_color")])


func test_buttons(t):
	await t.open()
	var buttons = _buttons(t, false)
	t.equal("nine usual buttons are there", buttons.size(), 9)
	for button in buttons:
		_check_states(t, button, PLAIN)
		for item in TEXTS:
			t.check("the buttons' texts have the colours of their states", _is(t, button.get_theme_color(item), TEXTS[item]),
					func(): return "%s: %s is %s, expected %s" % [_where(t, button), item, _html(button, item), t.parameter(TEXTS[item])])
	for button in buttons + _buttons(t, true):
		var box = button.get_theme_stylebox("focus")
		t.check("the focus is a frame without filling", t.is_a(box, "StyleBoxFlat") and (not box.draw_center or box.bg_color.a == 0.0)
				and _is(t, box.border_color, "focus") and _has_border(box, int(t.parameter("frame"))) and _has_corners(t, box),
				func(): return "%s: %s" % [_where(t, button), _told(t, box)])


func test_gold_buttons(t):
	await t.open()
	var buttons = _buttons(t, true)
	t.equal("three main buttons are there", buttons.size(), 3)
	t.equal("GoldButton is a variation of Button", _base(t, "GoldButton"), "Button")
	for button in buttons:
		t.check("the main buttons use GoldButton", button.theme_type_variation == &"GoldButton", func(): return "%s has the variation \"%s\"" % [_where(t, button), button.theme_type_variation])
		var box = button.get_theme_stylebox("normal")
		t.check("the main buttons are golden", _is_box(t, box, "gold"), func(): return "%s: %s" % [_where(t, button), _told(t, box)])
		for item in ["font_color", "font_focus_color"]:
			t.check("the main buttons have dark text", _is(t, button.get_theme_color(item), "ink"), func(): return "%s: %s is %s" % [_where(t, button), item, _html(button, item)])
		var rest = PLAIN.duplicate()
		rest.erase("normal")
		_check_states(t, button, rest)
		for item in ["font_hover_color", "font_pressed_color", "font_disabled_color"]:
			t.check("all else of the main buttons is as on others", _is(t, button.get_theme_color(item), TEXTS[item]), func(): return "%s: %s is %s" % [_where(t, button), item, _html(button, item)])


func test_panels(t):
	await t.open()
	var margin = int(t.parameter("margin"))
	for panel in t.all("PanelContainer", null, {"signal": "chosen"}):
		var box = panel.get_theme_stylebox("panel")
		t.check("the panels have the asked style box", t.is_a(box, "StyleBoxFlat") and box.draw_center and _is(t, box.bg_color, "panel")
				and _is(t, box.border_color, "border") and _has_border(box, 4), func(): return "%s: %s" % [_where(t, panel), _told(t, box)])
		t.check("the panels keep the asked margin", _margins(box) == [margin, margin, margin, margin], func(): return "%s keeps %s" % [_where(t, panel), _margins(box)])
	var cards = t.all("PanelContainer", null, {"group": "cards"})
	t.equal("nine cards are there", cards.size(), 9)
	t.equal("Card is a variation of PanelContainer", _base(t, "Card"), "PanelContainer")
	for card in cards:
		var box = card.get_theme_stylebox("panel")
		t.check("the cards use Card", card.theme_type_variation == &"Card", func(): return "%s has the variation \"%s\"" % [_where(t, card), card.theme_type_variation])
		t.check("the cards have the asked style box", t.is_a(box, "StyleBoxFlat") and box.draw_center and _is(t, box.bg_color, "card") and _has_border(box, 0)
				and _margins(box) == [10, 10, 10, 10], func(): return "%s: %s, margins %s" % [_where(t, card), _told(t, box), _margins(box)])


func test_headings(t):
	await t.open()
	var titles = t.all("Label", null, {"name": "Title"})
	t.equal("three headings are there", titles.size(), 3)
	t.equal("Heading is a variation of Label", _base(t, "Heading"), "Label")
	for title in titles:
		t.check("the headings use Heading", title.theme_type_variation == &"Heading", func(): return "%s has the variation \"%s\"" % [_where(t, title), title.theme_type_variation])
		t.check("the headings have the asked size and colour", title.get_theme_font_size("font_size") == int(t.parameter("heading"))
				and _is(t, title.get_theme_color("font_color"), "gold"),
				func(): return "%s has the size %d and %s" % [_where(t, title), title.get_theme_font_size("font_size"), _html(title, "font_color")])


func test_what_is_added_later(t):
	var scene = await t.open()
	var layer = t.make("CanvasLayer")
	var button = t.make("Button")
	var heading = t.make("Label", {"theme_type_variation": &"Heading"})
	for node in [button, heading]:
		layer.add_child(node)
	scene.get_tree().root.add_child(layer)
	await t.frames(2)
	t.check("controls that are added later use the theme", _is_box(t, button.get_theme_stylebox("normal"), "normal")
			and _is(t, button.get_theme_color("font_color"), "text") and button.get_theme_font("font").resource_path == FONT,
			func(): return "a new button outside the panels has %s" % _told(t, button.get_theme_stylebox("normal")))
	t.check("the variations are there for them too", heading.get_theme_font_size("font_size") == int(t.parameter("heading")),
			"a new heading has the size %d" % heading.get_theme_font_size("font_size"))
	t.free_now(layer)


# Whatever is changed in the theme must be seen on every control; what was set on a control itself is not.
func test_the_theme_decides(t):
	await t.open()
	var theme = t.resource(THEME)
	if not t.check("the theme is a theme", t.is_a(theme, "Theme"), "there is no Theme at " + THEME):
		return
	var odd = Color(0.9, 0.1, 0.8)
	var box = t.make("StyleBoxFlat")
	var before = {}
	for type in ["Button", "GoldButton", "Label", "Heading"]:
		before[type] = theme.get_color("font_color", type) if theme.has_color("font_color", type) else null
		theme.set_color("font_color", type, odd)
	var boxes = {}
	for place in [["normal", "Button"], ["normal", "GoldButton"], ["hover", "Button"], ["hover", "GoldButton"], ["panel", "PanelContainer"], ["panel", "Card"]]:
		boxes[place] = theme.get_stylebox(place[0], place[1]) if theme.has_stylebox(place[0], place[1]) else null
		theme.set_stylebox(place[0], place[1], box)
	await t.frames(3)
	for one in t.all("Label") + t.all("Button"):
		t.check("the theme decides about the colours of all texts", one.get_theme_color("font_color").is_equal_approx(odd),
				func(): return "%s does not follow a colour that is changed in guild.tres" % _where(t, one))
	for one in t.all("Button"):
		t.check("the theme decides about the style boxes of all buttons", one.get_theme_stylebox("normal") == box and one.get_theme_stylebox("hover") == box,
				func(): return "%s does not follow a style box that is changed in guild.tres" % _where(t, one))
	for one in t.all("PanelContainer"):
		t.check("the theme decides about the style boxes of all panels", one.get_theme_stylebox("panel") == box,
				func(): return "%s does not follow a style box that is changed in guild.tres" % _where(t, one))
	for type in before:
		if before[type] != null:
			theme.set_color("font_color", type, before[type])
		else:
			theme.clear_color("font_color", type)
	for place in boxes:
		if boxes[place] != null:
			theme.set_stylebox(place[0], place[1], boxes[place])
		else:
			theme.clear_stylebox(place[0], place[1])
	await t.frames(2)


func test_what_is_seen(t):
	await t.open()
	var button = _buttons(t, false)[0]
	var area = button.get_global_rect()
	await _point(t, Vector2(640, 20))
	var image = await t.picture()
	t.between("a button is seen in its colour", t.share(image, area, Color(t.parameter("normal")), 0.03), 0.4, 1.0)
	var gold = _buttons(t, true)[0]
	t.between("a main button is seen in gold", t.share(image, gold.get_global_rect(), Color(t.parameter("gold")), 0.03), 0.4, 1.0)
	var disabled = t.all("Button", null, func(node): return node.disabled)[0]
	t.between("a disabled button is seen in its colour", t.share(image, disabled.get_global_rect(), Color(t.parameter("disabled")), 0.03), 0.4, 1.0)
	await _point(t, area.get_center())
	t.between("the pointer changes its colour", t.share(await t.picture(), area, Color(t.parameter("hover")), 0.03), 0.4, 1.0)
	_push(t, area.get_center(), true)
	await t.frames(3)
	t.between("a press changes its colour", t.share(await t.picture(), area, Color(t.parameter("pressed")), 0.03), 0.4, 1.0)
	_push(t, area.get_center(), false)
	await _point(t, Vector2(640, 20))
	gold.grab_focus()
	await t.frames(3)
	image = await t.picture()
	t.check("the focus frames a button that can still be seen", t.share(image, gold.get_global_rect(), Color(t.parameter("focus")), 0.03) > 0.01
			and t.share(image, gold.get_global_rect(), Color(t.parameter("gold")), 0.03) > 0.4, "the frame is not there, or it hides the button")


func test_the_rest(t):
	await t.open()
	var texts = (t.all("Button") + t.all("Label")).map(func(node): return node.text)
	texts.sort()
	t.equal("the texts are as they were", ", ".join(texts), "A lost ring, Accept, Away, Bolt, level 7, Bomb, 6 gold, Buy, Escort to the coast, "
			+ "Gem, 40 gold, Hire, Key, 9 gold, Mira, level 4, Notice board, Odo, level 2, Read, Read, Rest, Rest, Roster, Sell, Sell, Shop, "
			+ "Sold, Taken, Wolves near the mill")
	t.equal("three buttons are disabled", t.all("Button", null, func(node): return node.disabled and node.text in ["Taken", "Away", "Sold"]).size(), 3)
	t.equal("and no others", t.all("Button", null, func(node): return node.disabled).size(), 3)
	t.equal("the six pictures are there", t.all("TextureRect", null, func(node): return str(node.name) == "Picture" and node.texture != null).size(), 6)
	var shop = t.the("PanelContainer", null, func(node): return node.has_signal("chosen") and str(node.name) == "Shop")
	var chosen = t.watch(shop, "chosen")
	var buy = t.the("Button", shop, func(node): return node.text == "Buy") if shop != null else null
	if t.exists("the shop has its button", buy, "no panel Shop with a button Buy"):
		await t.click_on(buy)
		t.equal("the button of the shop works", chosen.emissions, [["Buy"]])


func _check_states(t, button, states):
	for state in states:
		var box = button.get_theme_stylebox(state)
		t.check("the buttons have the style boxes of their states", _is_box(t, box, states[state]),
				func(): return "%s: %s is %s, expected %s with corners of %d" % [_where(t, button), state, _told(t, box), t.parameter(states[state]), int(t.parameter("corner"))])


func _buttons(t, main):
	return t.all("Button", null, func(node): return node.is_in_group("main_action") == main)


func _labels(t):
	return t.all("Label", null, func(node): return str(node.name) != "Title")


func _base(t, variation):
	var theme = t.resource(THEME)
	return str(theme.get_type_variation_base(variation)) if t.is_a(theme, "Theme") else "no theme"


func _is(t, color, name):
	return t.distance(color, Color(t.parameter(name))) < 0.01


func _is_box(t, box, name):
	return t.is_a(box, "StyleBoxFlat") and box.draw_center and _is(t, box.bg_color, name) and _has_corners(t, box)


func _has_corners(t, box):
	var corner = int(t.parameter("corner"))
	return range(4).all(func(n): return box.get_corner_radius(n) == corner)


func _has_border(box, width):
	return range(4).all(func(side): return box.get_border_width(side) == width)


func _margins(box):
	return [SIDE_LEFT, SIDE_TOP, SIDE_RIGHT, SIDE_BOTTOM].map(func(side): return roundi(box.get_margin(side)))


func _told(t, box):
	if not t.is_a(box, "StyleBoxFlat"):
		return "no StyleBoxFlat"
	return "%s, border %d in #%s, corner %d" % ["#" + box.bg_color.to_html(false) if box.draw_center else "not filled",
			box.border_width_left, box.border_color.to_html(false), box.corner_radius_top_left]


func _html(control, item):
	return "#" + control.get_theme_color(item).to_html(false)


func _where(t, control):
	var panel = control
	while panel != null and not panel.has_signal("chosen"):
		panel = panel.get_parent()
	var words = " \"%s\"" % control.text if t.is_a(control, "Button") or t.is_a(control, "Label") else ""
	return "%s%s in %s" % [control.name, words, panel.name if panel != null else "the scene"] if panel != control else str(control.name)


func _push(t, place, pressed):
	var event = InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_LEFT
	event.position = place
	event.global_position = place
	event.pressed = pressed
	event.button_mask = MOUSE_BUTTON_MASK_LEFT if pressed else 0
	t.push(event)


func _point(t, place):
	var event = InputEventMouseMotion.new()
	event.position = place
	event.global_position = place
	t.push(event)
	await t.frames(3)
