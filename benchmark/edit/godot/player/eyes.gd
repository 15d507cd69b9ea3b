extends RefCounted
# Looks at what the camera sees, at the picture, and at what animations are made of.

const FPS := 60.0
const FRAMES_PER_DRAWING := 6    # a tenth of a second is the longest step that GPU particles take at once

var driver: Node
var _drawn_on := 0


# Drawing is what a test with a display costs: from now on nothing is drawn but what we draw.
func take_over() -> void:
	RenderingServer.render_loop_enabled = false
	_drawn_on = Engine.get_process_frames()


func place_of(node: Node) -> Vector2:
	if node is CanvasItem:
		return (node as CanvasItem).get_global_transform_with_canvas().origin
	if node is Node3D:
		var camera := node.get_viewport().get_camera_3d()
		var spot: Vector3 = (node as Node3D).global_position
		if camera != null and not camera.is_position_behind(spot):
			return camera.unproject_position(spot)
	return Vector2(-1, -1)


func sees(node: Node) -> bool:
	if node is CanvasItem and not (node as CanvasItem).is_visible_in_tree():
		return false
	if node is Node3D:
		var camera := node.get_viewport().get_camera_3d()
		if not (node as Node3D).is_visible_in_tree() or camera == null:
			return false
		return camera.is_position_in_frustum((node as Node3D).global_position)
	return driver.get_tree().root.get_visible_rect().has_point(place_of(node))


func can_draw() -> bool:
	return DisplayServer.get_name() != "headless"


func picture() -> Image:
	await driver.frames(1)
	_draw()
	return driver.get_tree().root.get_texture().get_image()


# While nobody looks, every sixth frame is enough, unless the project can tell.
func keep_drawing() -> void:
	if can_draw() and (Engine.get_process_frames() - _drawn_on >= FRAMES_PER_DRAWING or _drawing_is_noticed()):
		_draw()


func _drawing_is_noticed() -> bool:
	for type: String in ["VisibleOnScreenNotifier2D", "VisibleOnScreenNotifier3D"]:
		if not driver.get_tree().root.find_children("*", type, true, false).is_empty():
			return true
	return [&"frame_pre_draw", &"frame_post_draw"].any(
		func(moment: StringName) -> bool:
			return RenderingServer.get_signal_connection_list(moment).any(
				func(connection: Dictionary) -> bool:   # CPU particles only prepare themselves
					var listener: Object = connection.callable.get_object()
					return not (listener is CPUParticles2D or listener is CPUParticles3D)
			)
	)


func _draw() -> void:
	var now := Engine.get_process_frames()
	RenderingServer.force_draw(false, (now - _drawn_on) / FPS)
	_drawn_on = now


func keys(of: Animation, property: String) -> Array[Array]:
	var found: Array[Array] = []
	for track in of.get_track_count() if of != null else 0:
		var path := str(of.track_get_path(track))
		if path == property or path.ends_with(":" + property) or path.get_slice(":", 0).ends_with(property):
			for index in of.track_get_key_count(track):
				found.append([of.track_get_key_time(track, index), of.track_get_key_value(track, index)])
	return found


func regions(sprite_frames: SpriteFrames, animation: StringName) -> Array[Rect2]:
	var found: Array[Rect2] = []
	if sprite_frames != null and sprite_frames.has_animation(animation):
		for index in sprite_frames.get_frame_count(animation):
			var texture := sprite_frames.get_frame_texture(animation, index)
			if texture is AtlasTexture:
				found.append((texture as AtlasTexture).region)
			elif texture != null:
				found.append(Rect2(Vector2.ZERO, texture.get_size()))
	return found
