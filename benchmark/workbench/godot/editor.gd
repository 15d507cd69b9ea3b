@tool
extends EditorPlugin
# Opens a scene in the editor, waits until the editor has nothing left to do, and saves a picture of its window. What to
# show stands in the arguments after `--`; the only plugin that runs in this copy of the project is this one.

const QUIET_FRAMES := 10  # docks fill themselves, thumbnails come

var _out := ""
var _scene := ""
var _screen := ""


func _enter_tree() -> void:
	var words := OS.get_cmdline_user_args()
	for index in words.size() - 1:
		match words[index]:
			"--out": _out = words[index + 1]
			"--scene": _scene = words[index + 1]
			"--screen": _screen = words[index + 1]
	_work()


func _work() -> void:
	var files := EditorInterface.get_resource_filesystem()
	var tree := get_tree()
	await tree.process_frame
	while files.is_scanning():
		await tree.process_frame
	if _scene == "":
		_scene = ProjectSettings.get_setting("application/run/main_scene", "")
	if _scene == "" or not ResourceLoader.exists(_scene):
		printerr("editor: no scene %s" % (_scene if _scene != "" else "is named, and the project has no main scene"))
		tree.quit(3)
		return
	EditorInterface.open_scene_from_path(_scene)
	for frame in QUIET_FRAMES:
		await tree.process_frame
	var root := EditorInterface.get_edited_scene_root()
	if root == null:
		printerr("editor: %s cannot be opened" % _scene)
		tree.quit(4)
		return
	if _screen == "":
		_screen = "3D" if root is Node3D else "2D"
	EditorInterface.set_main_screen_editor(_screen)
	var selection := EditorInterface.get_selection()
	selection.clear()
	selection.add_node(root)
	if _screen == "Script" and root.get_script() != null:
		EditorInterface.edit_script(root.get_script())
	for frame in QUIET_FRAMES:
		await tree.process_frame
	RenderingServer.force_draw()  # the editor draws only what has changed: a drawn frame may never come by itself
	var image := EditorInterface.get_base_control().get_viewport().get_texture().get_image()
	var problem := image.save_png(_out)
	print("editor: %s, %s, %d x %d" % [_scene, _screen, image.get_width(), image.get_height()])
	tree.quit(0 if problem == OK else 5)
