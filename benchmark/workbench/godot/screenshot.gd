extends SceneTree
# Runs a scene for some frames and saves the picture. Called by screenshot.sh.

var _out := ""
var _frames := 60
var _scene: String = ProjectSettings.get_setting("application/run/main_scene", "")
var _seen := 0


func _initialize() -> void:
	var words := OS.get_cmdline_user_args()
	for index in words.size() - 1:
		match words[index]:
			"--out": _out = words[index + 1]
			"--frames": _frames = maxi(words[index + 1].to_int(), 1)
			"--scene": _scene = words[index + 1]
	if _out == "" or _scene == "":
		printerr("screenshot: --out FILE is needed" if _out == "" else "screenshot: the project has no main scene")
		quit(2)
		return
	if change_scene_to_file(_scene) != OK:
		printerr("screenshot: cannot load %s" % _scene)
		quit(1)
	RenderingServer.frame_post_draw.connect(_drawn)


func _drawn() -> void:
	_seen += 1
	if _seen != _frames:
		return
	var image := root.get_texture().get_image()
	var problem := image.save_png(_out)
	print("%s: %d x %d" % [_out, image.get_width(), image.get_height()] if problem == OK else "cannot write %s" % _out)
	quit(0 if problem == OK else 1)
