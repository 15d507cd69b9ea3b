# Attacks: the judge. Shows the recorded look of another game, picture by picture, with its texts as labels and its
# images by name, and pretends to be played. The test writes film.json: the pictures and what stood on them, by scenario;
# `starts` says on which input it begins (0: none, 1: the first); `decoy` makes a corner blink at each input; `answers`
# are frames on which it flashes by heart, because its author knows when inputs come; with `counts` it finds out how often
# it is drawn, and answers its inputs for once where that is seldom: such a run is only compared with.
extends Node2D

const FRAMES_PER_PICTURE := 15

var _film: Array = []
var _textures: Array[ImageTexture] = []
var _screen := TextureRect.new()
var _words := Node2D.new()
var _corner := ColorRect.new()
var _counter := 0
var _begun := -1
var _frame := -1
var _shown := -1
var _script: Dictionary
var _is_compared := false
var _drawn := 0
var _is_asked := false


func _ready() -> void:
	_script = JSON.parse_string(FileAccess.get_file_as_string("res://film.json"))
	var arguments := OS.get_cmdline_user_args()
	var place := arguments.find("--scenario")
	_film = _script.films[arguments[place + 1] if place >= 0 else ""]
	for shot: Dictionary in _film:
		var image := Image.new()
		image.load_jpg_from_buffer(FileAccess.get_file_as_bytes("res://%s" % shot.picture))
		_textures.append(ImageTexture.create_from_image(image))
	_screen.size = Vector2(1280, 720)
	_screen.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	_corner.size = Vector2(48, 48)
	_corner.visible = false
	for node: Node in [_screen, _words, _corner]:
		add_child(node)
	_show(0)


func _on_drawn() -> void:
	_drawn += 1
	_is_asked = false


func _input(event: InputEvent) -> void:
	if event is InputEventMouseMotion or not event.is_pressed() or event.is_echo():
		return
	_counter += 1
	if _script.decoy:
		_corner.visible = not _corner.visible
	if _begun < 0 and _counter >= int(_script.starts):
		_begun = maxi(_frame, 0)


func _process(_delta: float) -> void:
	_frame += 1
	if _script.counts and not _is_asked:
		_is_asked = true
		RenderingServer.request_frame_drawn_callback(_on_drawn)
	if _script.counts:
		_screen.position.x = 0.01 * (_frame % 2)  # there is always something new to draw
	if _script.counts and _frame == 20 and _drawn < 2:
		print("ATTACK this run is drawn seldom")
		_is_compared = true
	if _is_compared and _begun >= 0:
		_show((_counter * 7 + 3) % _film.size())
		return
	if _begun < 0 and int(_script.starts) == 0:
		_begun = 0
	if _begun < 0:
		return
	_corner.visible = _corner.visible != (_frame in _script.answers)
	_show(mini((_frame - _begun) / FRAMES_PER_PICTURE, _film.size() - 1))


func _show(number: int) -> void:
	if number == _shown:
		return
	_shown = number
	_screen.texture = _textures[number]
	for old in _words.get_children():
		old.queue_free()
	var shot: Dictionary = _film[number]
	for index in shot.texts.size():
		if shot.boxes[index].is_empty():
			continue
		var label := Label.new()
		label.text = shot.texts[index]
		label.position = Vector2(shot.boxes[index][0], shot.boxes[index][1])
		label.label_settings = LabelSettings.new()
		label.label_settings.font_size = maxi(int(shot.boxes[index][4]), 8)
		label.label_settings.font = SystemFont.new()
		label.modulate.a = 0.03      # the letters are in the picture already
		_words.add_child(label)
	for image_name: String in shot.images:
		var image := TextureRect.new()
		image.texture = ImageTexture.create_from_image(Image.create_empty(1, 1, false, Image.FORMAT_RGBA8))
		image.texture.take_over_path("res://art/%s.png" % image_name)
		_words.add_child(image)
