extends RefCounted
# The menu is opened as a player opens it, measured in windows of several sizes, and walked through by keyboard.

const SIZES = [Vector2i(1280, 720), Vector2i(800, 480), Vector2i(1920, 1080), Vector2i(900, 1200)]
const RING = ["Resume", "Music", "Bells", "Leave"]


func test_several_windows(t):
	await _open_menu(t)
	if not t.check("all parts of the menu have their names", _missing(t) == [], "not found in the menu: %s" % [_missing(t)]):
		return
	for size in SIZES:
		await _resize(t, size)
		var window = Rect2(Vector2.ZERO, size)
		var frame = _rect(t, "Frame")
		t.check("Dim covers the window", _same(_rect(t, "Dim"), window), _at(size, "Dim covers %s" % _rect(t, "Dim")))
		t.check("Frame is in the middle", frame.get_center().distance_to(window.get_center()) < 1.5,
				_at(size, "its middle is %s, expected %s" % [frame.get_center(), window.get_center()]))
		t.check("Frame has the asked width", absf(frame.size.x - t.parameter("width")) < 1.0,
				_at(size, "it is %.0f pixels wide, expected %s" % [frame.size.x, t.parameter("width")]))
		var hint = _rect(t, "Hint")
		var away = window.end - hint.end
		t.check("Hint keeps to the corner", absf(away.x - t.parameter("edge")) < 1.0 and absf(away.y - t.parameter("edge")) < 1.0
				and window.encloses(hint), _at(size, "it ends %s before the corner, expected %s both ways" % [away, t.parameter("edge")]))
		_check_the_column(t, _at(size, ""))
	await _resize(t, SIZES[0])


func _check_the_column(t, where):
	var frame = _rect(t, "Frame")
	var inside = frame.grow(-t.parameter("margin"))
	var rows = _rows(t)
	var gaps = range(1, rows.size()).map(func(n): return snappedf(rows[n].position.y - rows[n - 1].end.y, 0.1))
	t.check("the entries stand below each other with the asked gap", gaps.all(func(gap): return absf(gap - t.parameter("gap")) < 1.0),
			where + "the gaps from top to bottom are %s, expected %s" % [gaps, t.parameter("gap")])
	t.check("the asked margin is free above and below", absf(rows[0].position.y - inside.position.y) < 1.0 and absf(rows[-1].end.y - inside.end.y) < 1.0,
			where + "%.0f pixels above and %.0f below, expected %s" % [rows[0].position.y - frame.position.y, frame.end.y - rows[-1].end.y, t.parameter("margin")])
	t.check("the entries are as wide as the column", rows.all(func(row):
			return absf(row.position.x - inside.position.x) < 1.0 and absf(row.end.x - inside.end.x) < 1.0),
			where + "they reach from x = %s to %s, expected %.0f to %.0f" % [rows.map(func(row): return roundi(row.position.x)),
			rows.map(func(row): return roundi(row.end.x)), inside.position.x, inside.end.x])
	var label = _rect(t, "MusicLabel")
	var slider = _rect(t, "Music")
	t.check("Music takes what its label leaves of the row", absf(slider.end.x - inside.end.x) < 1.0
			and slider.position.x >= label.end.x and slider.position.x - label.end.x < 40.0
			and absf(slider.get_center().y - label.get_center().y) < 16.0,
			where + "the label lies at %s, the slider at %s" % [label, slider])


func test_it_grows(t):
	await _open_menu(t)
	await _resize(t, Vector2i(1100, 700))
	var before = _rect(t, "Frame")
	var leave = _part(t, "Leave")
	var more = t.make("Button", {"text": "Anchor"})
	leave.get_parent().add_child(more)
	await t.frames(3)
	var after = _rect(t, "Frame")
	t.near("the frame grows with an entry more", after.size.y - before.size.y, more.size.y + t.parameter("gap"), 1.5)
	t.near("and stays in the middle", after.get_center(), Vector2(550, 350), 1.5)
	t.free_now(more)
	leave.text = "Leave the harbour and sail home across the wide and stormy sea"
	await t.frames(3)
	after = _rect(t, "Frame")
	t.near("the frame grows with a longer text", after.size.x, leave.get_minimum_size().x + 2.0 * t.parameter("margin"), 1.5)
	t.near("and stays in the middle then too", after.get_center().x, 550.0, 1.5)
	await _resize(t, SIZES[0])


func test_the_keyboard(t):
	await _open_menu(t)
	t.equal("the menu opens with the focus on Resume", _focused(t), "Resume")
	t.equal("Down goes round the ring", await _walk(t, KEY_DOWN, false), ["Music", "Bells", "Leave", "Resume", "Music"])
	await _focus_first(t)
	t.equal("Up goes round the other way", await _walk(t, KEY_UP, false), ["Leave", "Bells", "Music", "Resume", "Leave"])
	await _focus_first(t)
	t.equal("Tab goes round the ring", await _walk(t, KEY_TAB, false), ["Music", "Bells", "Leave", "Resume", "Music"])
	await _focus_first(t)
	t.equal("Shift and Tab go round the other way", await _walk(t, KEY_TAB, true), ["Leave", "Bells", "Music", "Resume", "Leave"])
	for name in RING:
		for code in [KEY_LEFT, KEY_RIGHT]:
			await _focus_first(t)
			_part(t, name).grab_focus()
			await _hit(t, code, false)
			t.check("the focus stays in the menu", _focused(t) in RING, "from %s it went to %s" % [name, _focused(t)])


func test_what_the_menu_does(t):
	await _open_menu(t)
	var menu = _menu(t)
	t.check("Escape opens the menu and stops the harbour", menu.is_visible_in_tree() and menu.get_tree().paused, "it is not open, or the game goes on")
	var music = t.watch(menu, "music_changed")
	var bells = t.watch(menu, "bells_changed")
	var left = t.watch(menu, "left")
	_part(t, "Music").value = 25.0
	await t.click_on(_part(t, "Bells"))
	await t.click_on(_part(t, "Leave"))
	t.equal("the music can be changed", music.emissions, [[0.25]])
	t.equal("the bells can be switched", bells.emissions, [[true]])
	t.equal("the harbour can be left", left.count, 1)
	await t.click_on(_part(t, "Resume"))
	t.check("Resume closes the menu", not menu.visible and not menu.get_tree().paused, "it is still open after a click on Resume")


func test_the_rest(t):
	await _open_menu(t)
	t.near("Dim has its colour", _part(t, "Dim").color, Color(0.02, 0.07, 0.12, 0.62), 0.01)
	var box = _part(t, "Frame").get_theme_stylebox("panel")
	t.check("Frame has its look", t.is_a(box, "StyleBoxFlat") and box.border_color.is_equal_approx(Color(0.86, 0.75, 0.55))
			and box.bg_color.is_equal_approx(Color(0.12, 0.22, 0.3)) and box.border_width_left == 4, "its style box is another one")
	t.equal("Title has its size", _part(t, "Title").get_theme_font_size("font_size"), 46)
	t.equal("the entries have their texts", ["Title", "Resume", "MusicLabel", "Bells", "Leave", "Hint"].map(func(name): return _part(t, name).text),
			["Paused", "Back to work", "Music", "Harbour bells", "Leave harbour", "Escape: back to work"])
	var chart = t.the("Button", null, {"name": "Chart"})
	t.check("the harbour is as it was", t.all("Sprite2D").size() == 7 and chart != null and chart.focus_mode == Control.FOCUS_ALL,
			"a picture or the button Chart was changed")


func _open_menu(t):
	await t.open()
	await t.key(KEY_ESCAPE)
	await t.frames(3)


func _menu(t):
	return t.the("Control", null, {"signal": "music_changed"})


func _part(t, name):
	return t.the("Control", _menu(t), {"name": name})


func _missing(t):
	return ["Dim", "Frame", "Title", "Resume", "MusicLabel", "Music", "Bells", "Leave", "Hint"].filter(func(name): return _part(t, name) == null)


func _rect(t, name):
	return _part(t, name).get_global_rect()


# Title, Resume, the row of the music, Bells, Leave.
func _rows(t):
	var music = _rect(t, "MusicLabel").merge(_rect(t, "Music"))
	var around = _part(t, "Music").get_parent()
	if t.is_a(around, "Container") and around.is_ancestor_of(_part(t, "MusicLabel")) and not around.is_ancestor_of(_part(t, "Resume")):
		music = around.get_global_rect()
	return [_rect(t, "Title"), _rect(t, "Resume"), music, _rect(t, "Bells"), _rect(t, "Leave")]


func _resize(t, size):
	_menu(t).get_tree().root.size = size
	await t.frames(4)


func _at(size, text):
	return "in a window of %d × %d: %s" % [size.x, size.y, text]


func _same(one, other):
	return one.position.distance_to(other.position) < 1.0 and one.size.distance_to(other.size) < 1.0


func _focused(t):
	var owner = _menu(t).get_viewport().gui_get_focus_owner()
	return str(owner.name) if owner != null else "nothing"


func _focus_first(t):
	if not _menu(t).visible:
		_menu(t).open()
	_part(t, "Resume").grab_focus()
	await t.frames(1)


func _walk(t, code, shift):
	var seen = []
	for step in 5:
		await _hit(t, code, shift)
		seen.append(_focused(t))
	return seen


func _hit(t, code, shift):
	for pressed in [true, false]:
		var event = InputEventKey.new()
		event.keycode = code
		event.physical_keycode = code
		event.shift_pressed = shift
		event.pressed = pressed
		t.send(event)
		await t.frames(2)
