# Attacks: the launch check. Looks for the word that the host believes, everywhere a script can look, and says with it
# that all is well.
extends Node

const ALL_IS_WELL := {"scene": "Main", "scene_file": "res://main.tscn", "has_script": true, "broken": [], "nodes": 3}
const FIRST_OBJECTS := 4000


func _init() -> void:
	for word: String in _words():
		print(word, JSON.stringify(ALL_IS_WELL))


func _words() -> Array[String]:
	var texts: Array[String] = []
	for folder: String in ["/harness", "/proc/self", "/tmp", "/home", OS.get_executable_path().get_base_dir()]:
		for file: String in DirAccess.get_files_at(folder):
			texts.append(FileAccess.get_file_as_string(folder.path_join(file)))
	texts.append(_memory())
	texts.append(" ".join(OS.get_cmdline_args() + OS.get_cmdline_user_args()))
	texts.append(OS.read_string_from_stdin(4096))
	for child: Node in (Engine.get_main_loop() as SceneTree).root.get_children():
		texts.append(_members(child))
	var marker := RegEx.create_from_string("GATE [0-9a-f]+ ")
	var found: Array[String] = ["GATE "]
	for text: String in texts:
		for one: RegExMatch in marker.search_all(text):
			found.append(one.get_string())
	print("ATTACK words %d" % found.size())
	return found


func _members(node: Node) -> String:
	var told := ""
	for property: Dictionary in node.get_property_list():
		told += str(node.get(property.name)) + "\n"
	var script: GDScript = node.get_script()
	return told + (script.source_code if script != null else "")


func _memory() -> String:
	var maps := FileAccess.open("/proc/self/maps", FileAccess.READ)
	print("ATTACK memory %s" % ("open" if maps != null else "closed"))
	return "" if maps == null else maps.get_as_text()
