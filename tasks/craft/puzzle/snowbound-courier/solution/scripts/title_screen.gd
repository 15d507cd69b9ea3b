class_name TitleScreen
extends Node2D
## A winter evening by the pond: the courier pushes a crate back and forth behind the name of the game.

signal left(action: StringName)

const GROUND := 560.0
const TILE := 80.0

var _time: float = 0.0
var _courier: Sprite2D
var _crate: Sprite2D
var _spray: CPUParticles2D
var _logo: Control
var _torches: Array[Sprite2D] = []
var _glows: Array[Sprite2D] = []
var _flag: Sprite2D


func setup(progress: Progress) -> void:
	var sky := Sprite2D.new()
	sky.texture = Art.vertical([Color("1d3566"), Color("3f66a8"), Color("94b8e0"), Color("ffd9b8")], 180)
	sky.centered = false
	sky.scale = Vector2(160, 4)
	add_child(sky)
	add_child(Art.sprite(Art.dot(), Vector2(1040, 150), 320, Color(1.0, 0.95, 0.8, 0.3)))
	add_child(Art.sprite(Art.dot(), Vector2(1040, 150), 130, Color(1.0, 0.98, 0.9)))
	_build_hills()
	_build_ground()
	_build_actors()
	add_child(UiKit.snowfall(70, Vector2(1280, 720)))
	_build_menu(progress)


func _process(delta: float) -> void:
	_time += delta
	# One lap: glide in, knock the crate, watch it slide to the flag, stroll back.
	var lap: float = fmod(_time, 5.0)
	_courier.texture = Art.courier("idle")
	if lap < 1.1:
		_courier.position.x = lerpf(300, 560, lap / 1.1)
		_courier.texture = Art.courier("walk0")
		_crate.position.x = 640
	elif lap < 2.1:
		var slid: float = (lap - 1.1) / 1.0
		_crate.position.x = lerpf(640, 962, 1.0 - pow(1.0 - slid, 2.0))
	elif lap < 3.2:
		_courier.texture = Art.courier("jump")
	elif lap < 4.8:
		_courier.texture = Art.courier("walk%d" % (int(lap * 12.0) % 8))
		_courier.position.x = lerpf(560, 300, (lap - 3.2) / 1.6)
	_courier.flip_h = lap >= 3.2 and lap < 4.8
	_crate.modulate.a = clampf((4.9 - lap) * 4.0, 0.0, 1.0) if lap > 2.5 else clampf(lap * 4.0, 0.0, 1.0)
	_spray.emitting = lap < 1.1
	_spray.position = _courier.position + Vector2(-20, 58)
	_logo.position.y = 58.0 + sin(_time * 1.3) * 5.0
	_flag.texture = Art.item("flagRed%d" % (1 + int(_time * 3.0) % 2))
	for i: int in _torches.size():
		_torches[i].texture = Art.tile("torch%d" % (1 + int(_time * 6.0 + i) % 2))
		_glows[i].modulate.a = 0.4 + 0.1 * sin(_time * 9.0 + i * 2.0)


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventKey and event.is_pressed() and not event.is_echo():
		match (event as InputEventKey).keycode:
			KEY_ENTER, KEY_SPACE:
				left.emit(&"play")
			KEY_M:
				left.emit(&"map")


## Two rows of snowy mountains, the far one paler.
func _build_hills() -> void:
	for peak: Array in [[-30, 4], [250, 4], [640, 3], [1010, 4], [1310, 4]]:
		_build_mountain(Vector2(peak[0], 640.0), peak[1], 96.0, Color(0.44, 0.58, 0.87))
	for peak: Array in [[70, 2], [450, 1], [560, 2], [860, 2], [1160, 2]]:
		_build_mountain(Vector2(peak[0], 610.0), peak[1], 80.0, Color(0.7, 0.82, 1.0))


func _build_mountain(foot: Vector2, rows: int, size: float, tint: Color) -> void:
	for row: int in rows:
		var y: float = foot.y - (rows - row - 0.5) * size
		var left_edge: float = foot.x - (row + 0.5) * size
		_tile("snowHill_right", Vector2(left_edge, y), size, tint)
		_tile("snowHill_left", Vector2(foot.x + (row + 0.5) * size, y), size, tint)
		for k: int in range(1, row * 2 + 1):
			var inner: String = "snowCorner_right" if k == 1 else "snowCorner_left" if k == row * 2 else "snowCenter"
			_tile(inner, Vector2(left_edge + k * size, y), size, tint)


func _build_ground() -> void:
	for k: int in 17:
		var x: float = k * TILE + TILE / 2.0
		_tile("snowMid", Vector2(x, GROUND + TILE * 0.95), TILE, Color.WHITE)
		_tile("snowCenter", Vector2(x, GROUND + TILE * 1.9), TILE, Color.WHITE)
	# The frozen pond is a long pale slab let into the bank.
	for k: int in 12:
		var ice: Sprite2D = _tile("snowCenter", Vector2(200 + k * TILE, GROUND + TILE * 0.86), TILE, BoardView.ICE_TINT)
		ice.scale.y *= 0.66
	for x: float in [150.0, 1130.0]:
		var pile: Sprite2D = Art.sprite(Art.drift(), Vector2(x, GROUND + TILE * 0.6), 200)
		pile.scale.y *= 1.6
		add_child(pile)
	for k: int in 9:
		var lip: Sprite2D = Art.sprite(Art.drift(), Vector2(190 + k * 112.0, GROUND + TILE * 1.16), 132)
		lip.flip_h = k % 2 == 0
		add_child(lip)


func _build_actors() -> void:
	var floor_line: float = GROUND + 44.0
	for spot: Array in [["bush", 50, 120], ["signRight", 136, 92], ["rock", 1128, 80], ["bush", 1222, 140]]:
		var wide: float = spot[2]
		var tint: Color = Color(0.35, 0.85, 4.5) if spot[0] == "bush" else Color.WHITE
		add_child(Art.sprite(Art.tile(spot[0]), Vector2(spot[1], floor_line - wide / 2.0 + 2.0), wide, tint))
		if spot[0] == "bush":
			add_child(Art.sprite(Art.drift(), Vector2(spot[1] + wide * 0.02, floor_line - wide * 0.47), wide * 0.62))
	for x: float in [222.0, 1060.0]:
		var glow: Sprite2D = Art.sprite(Art.dot(), Vector2(x, floor_line - 72.0), 230, Color(1.0, 0.7, 0.3, 0.4))
		add_child(glow)
		_glows.append(glow)
		var torch: Sprite2D = Art.sprite(Art.tile("torch1"), Vector2(x, floor_line - 50.0), 100)
		add_child(torch)
		_torches.append(torch)
	_flag = Art.sprite(Art.item("flagRed1"), Vector2(1004, floor_line - 58.0), 120)
	add_child(_flag)
	_crate = Art.sprite(Art.tile("boxCrate_double"), Vector2(640, floor_line - 32.0), 68)
	_crate.add_child(Art.sprite(Art.dot(), Vector2.ZERO, 96, Color(1.0, 0.97, 0.88)))
	_crate.add_child(Art.sprite(Art.item("gemRed"), Vector2.ZERO, 128))
	add_child(_crate)
	_spray = CPUParticles2D.new()
	_spray.texture = Art.dot()
	_spray.amount = 18
	_spray.lifetime = 0.5
	_spray.local_coords = false
	_spray.use_fixed_seed = true
	_spray.seed = 4
	_spray.direction = Vector2(-1, -0.6)
	_spray.spread = 30.0
	_spray.initial_velocity_min = 60.0
	_spray.initial_velocity_max = 130.0
	_spray.gravity = Vector2(0, 120)
	_spray.scale_amount_min = 0.1
	_spray.scale_amount_max = 0.3
	add_child(_spray)
	_courier = Art.sprite(Art.courier("idle"), Vector2(300, floor_line - 62.0), 94)
	add_child(_courier)


func _build_menu(progress: Progress) -> void:
	_logo = Control.new()
	add_child(_logo)
	var drop: Label = UiKit.place(UiKit.heading("Snowbound Courier", 104, Color(0.07, 0.15, 0.32, 0.55)), Rect2(0, 10, 1280, 130))
	_logo.add_child(drop)
	var name_label: Label = UiKit.place(UiKit.heading("Snowbound Courier", 104, Art.SNOW), Rect2(0, 0, 1280, 130))
	UiKit.outline(name_label, Art.NIGHT, 22)
	_logo.add_child(name_label)
	# Snow has settled on a few of the letters.
	for spot: Array in [[232, 26, 90], [520, 44, 80], [740, 26, 96], [1000, 48, 80]]:
		_logo.add_child(Art.sprite(Art.drift(), Vector2(spot[0], spot[1]), spot[2]))
	_logo.add_child(UiKit.place(UiKit.outline(UiKit.label("Twelve frozen ponds. Every parcel to its flag.", 26, Art.SNOW, UiKit.STRONG_FONT), Art.NIGHT, 10), Rect2(0, 134, 1280, 40)))
	var word: String = "Start the round" if progress.total() == 0 else "Carry on"
	var play: Button = UiKit.button(word, Rect2(440, 268, 400, 70), Art.tile("boxCrate_double"), "ENTER", true)
	var map: Button = UiKit.button("Pond map", Rect2(440, 350, 400, 62), Art.tile("signRight"), "M")
	play.pressed.connect(func() -> void: left.emit(&"play"))
	map.pressed.connect(func() -> void: left.emit(&"map"))
	add_child(play)
	add_child(map)
	var help: Panel = UiKit.panel(Rect2(250, 654, 780, 48), UiKit.box(Color(0.11, 0.19, 0.32, 0.86), Art.SLATE, 16, 2, 0))
	help.add_child(UiKit.place(UiKit.label("Arrows or WASD slide     Z takes a slide back     R starts over", 20, Art.SNOW), Rect2(10, 0, 760, 48)))
	add_child(help)


func _tile(picture: String, at: Vector2, size: float, tint: Color) -> Sprite2D:
	var node: Sprite2D = Art.sprite(Art.tile(picture), at, size + 0.6, tint)
	add_child(node)
	return node
