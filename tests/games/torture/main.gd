# Attacks: determinism. Each panel draws one source of non-determinism; two replays must match in every pixel.
extends Node2D

const COLUMNS: int = 7
const CELL: Vector2 = Vector2(182, 142)
const TITLES: PackedStringArray = [
	"randi randf", "shuffle", "rng unseeded", "randomize()", "ticks msec", "ticks usec", "unix time",
	"datetime", "tree timer", "Timer node", "Tween", "AnimationPlayer", "rigid bodies", "particles",
	"noise", "shader TIME", "Thread", "worker pool", "threaded load", "audio position", "audio finished",
	"user:// runs", "hash order", "frames drawn", "unique id", "input polling", "mouse position", "dir listing",
	"node count", "string hash", "delta", "physics frames", "mouse velocity", "fps", "events",
]

var bars: Dictionary[int, PackedFloat32Array] = {}
var rng: RandomNumberGenerator = RandomNumberGenerator.new()
var rng_randomized: RandomNumberGenerator = RandomNumberGenerator.new()
var noise: FastNoiseLite = FastNoiseLite.new()
var frame: int = 0
var physics_frames: int = 0
var timer_hits: int = 0
var tree_timer_hits: int = 0
var events_seen: int = 0
var keys_held: int = 0
var tweened: Node2D
var animated: Node2D
var thread: Thread
var thread_done_at: int = -1
var thread_result: int = 0
var pool_done: PackedInt32Array = []
var pool_tasks: PackedInt64Array = []
var loaded_at: int = -1
var player: AudioStreamPlayer
var audio_finished_at: int = -1
var runs: int = 0
var art: Texture2D = preload("res://art.svg")


func _ready() -> void:
	rng_randomized.randomize()
	noise.seed = randi()
	_count_run()
	_start_timers()
	_start_motion()
	_start_bodies()
	_start_work()
	_start_audio()


func _cell(index: int) -> Vector2:
	return Vector2(float(index % COLUMNS) * CELL.x + 2.0, float(index / COLUMNS) * CELL.y + 2.0)


func _count_run() -> void:
	var file: FileAccess = FileAccess.open("user://runs.txt", FileAccess.READ)
	if file != null:
		runs = file.get_as_text().to_int()
		file.close()
	runs += 1
	file = FileAccess.open("user://runs.txt", FileAccess.WRITE)
	if file != null:
		file.store_string(str(runs))
		file.close()


func _start_timers() -> void:
	var timer: Timer = Timer.new()
	timer.wait_time = 0.13
	timer.autostart = true
	timer.timeout.connect(func() -> void: timer_hits += 1)
	add_child(timer)
	_tree_timer()


func _tree_timer() -> void:
	tree_timer_hits += 1
	get_tree().create_timer(0.21).timeout.connect(_tree_timer)


func _start_motion() -> void:
	tweened = _sprite(10)
	var tween: Tween = create_tween().set_loops()
	tween.tween_property(tweened, "position:x", tweened.position.x + 130.0, 0.7).set_trans(Tween.TRANS_ELASTIC)
	tween.tween_property(tweened, "position:x", tweened.position.x, 0.4)
	animated = _sprite(11)
	animated.name = "Animated"
	var animation: Animation = Animation.new()
	animation.length = 0.9
	animation.loop_mode = Animation.LOOP_LINEAR
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, "Animated:rotation")
	animation.track_insert_key(track, 0.0, 0.0)
	animation.track_insert_key(track, 0.9, TAU)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation("spin", animation)
	var animator: AnimationPlayer = AnimationPlayer.new()
	add_child(animator)
	animator.add_animation_library("", library)
	animator.play("spin")
	var particles: CPUParticles2D = CPUParticles2D.new()
	particles.position = _cell(13) + Vector2(90, 80)
	particles.amount = 40
	particles.spread = 180.0
	particles.initial_velocity_min = 10.0
	particles.initial_velocity_max = 60.0
	particles.gravity = Vector2.ZERO
	particles.scale_amount_min = 3.0
	particles.scale_amount_max = 6.0
	particles.color = Color.GOLD
	add_child(particles)
	var shader: ColorRect = ColorRect.new()
	shader.position = _cell(15) + Vector2(10, 30)
	shader.size = Vector2(150, 95)
	shader.mouse_filter = Control.MOUSE_FILTER_IGNORE
	var material_made: ShaderMaterial = ShaderMaterial.new()
	material_made.shader = load("res://time.gdshader")
	shader.material = material_made
	add_child(shader)


func _sprite(cell: int) -> Node2D:
	var sprite: Sprite2D = Sprite2D.new()
	sprite.texture = art
	sprite.position = _cell(cell) + Vector2(24, 80)
	add_child(sprite)
	return sprite


func _start_bodies() -> void:
	var origin: Vector2 = _cell(12)
	var walls: StaticBody2D = StaticBody2D.new()
	for segment: Array in [[Vector2(5, 135), Vector2(175, 135)], [Vector2(5, 20), Vector2(5, 135)], [Vector2(175, 20), Vector2(175, 135)]]:
		var edge: CollisionShape2D = CollisionShape2D.new()
		var line: SegmentShape2D = SegmentShape2D.new()
		line.a = origin + segment[0]
		line.b = origin + segment[1]
		edge.shape = line
		walls.add_child(edge)
	add_child(walls)
	for i: int in 14:
		var body: RigidBody2D = RigidBody2D.new()
		var shape: CollisionShape2D = CollisionShape2D.new()
		var circle: CircleShape2D = CircleShape2D.new()
		circle.radius = 7.0
		shape.shape = circle
		body.add_child(shape)
		var look: Sprite2D = Sprite2D.new()
		look.texture = art
		look.scale = Vector2(0.45, 0.45)
		body.add_child(look)
		body.position = origin + Vector2(30.0 + randf() * 120.0, 30.0 + float(i) * 4.0)
		add_child(body)


func _start_work() -> void:
	thread = Thread.new()
	thread.start(_work.bind(200000))
	for i: int in 8:
		pool_tasks.append(WorkerThreadPool.add_task(_work.bind(20000 * (i + 1))))
		pool_done.append(-1)
	ResourceLoader.load_threaded_request("res://threaded.tscn")


func _work(rounds: int) -> int:
	var n: int = rounds
	for i: int in rounds:
		n = (n * 1103515245 + 12345) & 0x7fffffff
	return n


func _start_audio() -> void:
	var data: PackedByteArray = PackedByteArray()
	data.resize(22050 * 3)
	for i: int in data.size():
		data[i] = (i * 7) % 64
	var wave: AudioStreamWAV = AudioStreamWAV.new()
	wave.format = AudioStreamWAV.FORMAT_8_BITS
	wave.mix_rate = 22050
	wave.data = data
	player = AudioStreamPlayer.new()
	player.stream = wave
	player.finished.connect(func() -> void: audio_finished_at = frame)
	add_child(player)
	player.play()


func _exit_tree() -> void:
	if thread != null and thread.is_started():
		thread.wait_to_finish()


func _input(event: InputEvent) -> void:
	events_seen = (events_seen * 31 + hash(event.as_text())) & 0xffffff


func _physics_process(_delta: float) -> void:
	physics_frames += 1


func _process(delta: float) -> void:
	frame += 1
	_poll_work()
	var list: Array = range(6)
	list.shuffle()
	var when: Dictionary = Time.get_datetime_dict_from_system()
	var table: Dictionary = {}
	for word: String in ["pear", "apple", "fig", "plum", "kiwi"]:
		table[word.hash() % 97] = word
	keys_held = 0
	for key: Key in [KEY_A, KEY_D, KEY_SPACE, KEY_LEFT, KEY_RIGHT, KEY_SHIFT]:
		keys_held = keys_held * 2 + int(Input.is_key_pressed(key))
	var mouse: Vector2 = get_global_mouse_position()
	bars[0] = [float(randi() % 1000) / 1000.0, randf()]
	bars[1] = PackedFloat32Array(list.map(func(v: int) -> float: return float(v + 1) / 6.0))
	bars[2] = [rng.randf(), rng.randf()]
	bars[3] = [rng_randomized.randf(), rng_randomized.randf()]
	bars[4] = [float(Time.get_ticks_msec() % 1000) / 1000.0]
	bars[5] = [float(Time.get_ticks_usec() % 1000000) / 1000000.0]
	bars[6] = [fposmod(Time.get_unix_time_from_system(), 1.0), fposmod(Time.get_unix_time_from_system(), 60.0) / 60.0]
	bars[7] = [float(when["second"]) / 60.0, float(when["minute"]) / 60.0, float(when["hour"]) / 24.0, float(when["day"]) / 31.0]
	bars[8] = [float(tree_timer_hits % 20) / 20.0]
	bars[9] = [float(timer_hits % 20) / 20.0]
	bars[14] = [noise.get_noise_1d(float(frame)) * 0.5 + 0.5, noise.get_noise_1d(float(frame) * 3.0) * 0.5 + 0.5]
	bars[16] = [float(thread_done_at + 1) / 60.0, float(thread_result % 1000) / 1000.0]
	bars[17] = PackedFloat32Array(Array(pool_done).map(func(v: int) -> float: return float(v + 1) / 60.0))
	bars[18] = [float(loaded_at + 1) / 60.0]
	bars[19] = [player.get_playback_position() / 3.0]
	bars[20] = [float(audio_finished_at + 1) / 300.0]
	bars[21] = [float(runs) / 10.0]
	bars[22] = PackedFloat32Array(table.keys().map(func(v: int) -> float: return float(v) / 97.0))
	bars[23] = [float(Engine.get_frames_drawn() % 100) / 100.0]
	bars[24] = [float(OS.get_unique_id().hash() % 1000) / 1000.0]
	bars[25] = [float(keys_held) / 64.0, float(Input.get_mouse_button_mask()) / 4.0]
	bars[26] = [mouse.x / 1280.0, mouse.y / 720.0]
	bars[27] = PackedFloat32Array(Array(DirAccess.get_files_at("res://")).map(func(v: String) -> float: return float(v.hash() % 100) / 100.0))
	bars[28] = [Performance.get_monitor(Performance.OBJECT_NODE_COUNT) / 100.0]
	bars[29] = [float(String(name).hash() % 1000) / 1000.0, float(get_path().hash() % 1000) / 1000.0]
	bars[30] = [delta * 10.0]
	bars[31] = [float(physics_frames % 100) / 100.0, float(Engine.get_physics_frames() % 100) / 100.0]
	bars[32] = [Input.get_last_mouse_velocity().length() / 4000.0]
	bars[33] = [float(Engine.get_frames_per_second()) / 240.0]
	bars[34] = [float(events_seen % 1000) / 1000.0]
	queue_redraw()


func _poll_work() -> void:
	if thread.is_started() and not thread.is_alive():
		thread_result = thread.wait_to_finish()
		thread_done_at = frame
	for i: int in pool_tasks.size():
		if pool_done[i] < 0 and WorkerThreadPool.is_task_completed(pool_tasks[i]):
			WorkerThreadPool.wait_for_task_completion(pool_tasks[i])
			pool_done[i] = frame
	if loaded_at < 0 and ResourceLoader.load_threaded_get_status("res://threaded.tscn") == ResourceLoader.THREAD_LOAD_LOADED:
		loaded_at = frame
		var scene: PackedScene = ResourceLoader.load_threaded_get("res://threaded.tscn")
		var made: Node2D = scene.instantiate()
		made.position = _cell(18) + Vector2(20, 70)
		add_child(made)


func _draw() -> void:
	var font: Font = ThemeDB.fallback_font
	for i: int in TITLES.size():
		var at: Vector2 = _cell(i)
		draw_rect(Rect2(at, CELL - Vector2(4, 4)), Color(0.12, 0.13, 0.18))
		draw_string(font, at + Vector2(6, 16), TITLES[i], HORIZONTAL_ALIGNMENT_LEFT, -1, 13)
		if not bars.has(i):
			continue
		var values: PackedFloat32Array = bars[i]
		var height: float = minf(22.0, 105.0 / maxf(1.0, float(values.size())))
		for k: int in values.size():
			var value: float = clampf(values[k], 0.0, 1.0)
			draw_rect(Rect2(at + Vector2(6, 26.0 + float(k) * height), Vector2(2.0 + value * 164.0, height - 2.0)), Color.from_hsv(value * 0.8, 0.8, 0.95))
