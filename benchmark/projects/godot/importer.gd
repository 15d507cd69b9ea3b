extends SceneTree
# Imports pictures, fonts and sounds with the settings that the editor gives them, without the editor. Starts in a folder
# that holds nothing else: no code of a submission runs here. A test compares the results with the editor's. What does
# not load ends this with code 1, and the editor is asked instead.

const WORK := "imports.json"
# A compressed texture: no mipmaps, and the editor may still find that it is used in 3D, as a normal map, or roughness.
const TEXTURE_VERSION := 1
const TEXTURE_FLAGS := 1 << 24 | 1 << 26 | 1 << 27
const NO_MIPMAP_LIMIT := 0xFFFFFFFF
const FORMAT_WEBP := 2
const LARGEST_WEBP := 16383


func _init() -> void:
	var folder: String = get_script().resource_path.get_base_dir()
	var work: Array = JSON.parse_string(FileAccess.get_file_as_string(folder.path_join(WORK)))
	DirAccess.make_dir_recursive_absolute("res://.godot/imported")
	# One after the other: work on the engine's thread pool made about one run in a hundred hang when it quit.
	quit(0 if work.all(_made) else 1)


func _made(one: Dictionary) -> bool:
	match one.kind:
		"texture": return _texture(one)
		"font": return _font(one)
		"wav": return _saved(AudioStreamWAV.load_from_file(one.source, {"compress/mode": 2}), one)
		"ogg": return _saved(AudioStreamOggVorbis.load_from_file(one.source), one)
		"mp3": return _saved(AudioStreamMP3.load_from_file(one.source), one)
	return false


func _saved(made: Resource, one: Dictionary, flags := ResourceSaver.FLAG_NONE) -> bool:
	return made != null and ResourceSaver.save(made, one.target, flags) == OK


func _texture(one: Dictionary) -> bool:
	var image := Image.new()
	# by its place on the disk: the engine warns of pictures that are loaded by their place in the project
	if image.load(ProjectSettings.globalize_path(one.source)) != OK or image.is_empty():
		return false
	# deep colours are stored in another way, and what is larger than WebP can be
	if image.get_format() > Image.FORMAT_RGBA8 or maxi(image.get_width(), image.get_height()) > LARGEST_WEBP:
		return false
	image.fix_alpha_edges()
	var data := image.save_webp_to_buffer(false)
	var file := FileAccess.open(one.target, FileAccess.WRITE)
	if file == null:
		return false
	file.store_buffer("GST2".to_ascii_buffer())
	for number: int in [
		TEXTURE_VERSION, image.get_width(), image.get_height(), TEXTURE_FLAGS, NO_MIPMAP_LIMIT, 0, 0, 0, FORMAT_WEBP,
		image.get_width() | image.get_height() << 16, 0, image.get_format(), data.size(),
	]:
		file.store_32(number)
	return file.store_buffer(data)


func _font(one: Dictionary) -> bool:
	var font := FontFile.new()
	font.data = FileAccess.get_file_as_bytes(one.source)
	var server := TextServerManager.get_primary_interface()
	var face: RID = font.get_rids()[0]
	if font.get_face_count() == 0:
		return false
	font.hinting = TextServer.HINTING_LIGHT
	font.msdf_pixel_range = 8
	font.disable_embedded_bitmaps = true
	font.keep_rounding_remainders = true
	font.subpixel_positioning = (
		TextServer.SUBPIXEL_POSITIONING_DISABLED if _is_pixel_font(server, face) else TextServer.SUBPIXEL_POSITIONING_AUTO
	)
	return _saved(font, one, ResourceSaver.FLAG_COMPRESS)


# Whether no glyph has an edge that is curved or slanted.
func _is_pixel_font(server: TextServer, face: RID) -> bool:
	var glyphs := server.font_get_supported_glyphs(face)
	for glyph in glyphs:
		var outline := server.font_get_glyph_contours(face, 16, glyph)
		var points: PackedVector3Array = outline.points
		var first := 0
		for last: int in outline.contours:
			for index in range(first, last + 1):
				var here := points[index]
				var next := points[index + 1 if index < last else first]
				var straight := is_equal_approx(here.x, next.x) or is_equal_approx(here.y, next.y)
				if here.z != TextServer.CONTOUR_CURVE_TAG_ON or not straight:
					return false
			first = last + 1
	return not glyphs.is_empty()
