extends RefCounted
# The picture comes from a camera on an arm behind the hiker; ground and walls shorten the arm, nothing else does.


func test_in_the_open(t):
	await t.open()
	await t.physics(20)
	var hiker = _hiker(t)
	var camera = _camera(t)
	if not t.check("the picture comes from a camera behind the hiker", hiker != null and camera != null
			and camera.name != "Overview" and camera.global_position.distance_to(hiker.global_position) < 12.0,
			"the current camera is %s" % [camera.get_path() if camera != null else "none"]):
		return
	t.check("there is a spring arm", t.all("SpringArm3D").size() >= 1, "no SpringArm3D in the running scene")
	t.near("in the open the arm has its full length", _arm(t).length(), t.parameter("length"), 0.15)
	t.near("the camera is behind and above him at the asked angle", _arm(t).normalized(), _asked(t, hiker), 0.03)
	t.near("the camera looks along the arm", -camera.global_basis.z, -_arm(t).normalized(), 0.03)
	t.check("the hiker is in the picture", t.sees(hiker.find_child("Picture")), "the camera does not see him")


func test_following(t):
	await t.open()
	await t.physics(20)
	var hiker = _hiker(t)
	var before = _arm(t)
	var begin = hiker.global_position
	t.press("walk")
	await t.seconds(1.0)
	t.release("walk")
	await t.physics(3)
	t.between("the hiker walks as fast as before", begin.distance_to(hiker.global_position), 2.8, 3.2)
	t.near("the camera walks along", _arm(t), before, 0.1)
	t.press("turn_left")
	await t.seconds(0.5)
	t.release("turn_left")
	await t.physics(3)
	t.near("the hiker turns as fast as before", absf(hiker.rotation.y), 1.1, 0.1)
	t.near("the camera turns with him", _arm(t).normalized(), _asked(t, hiker), 0.03)


func test_obstacles(t):
	await t.open()
	await t.physics(20)
	var hiker = _hiker(t)
	# the near face of the old wall is at z = -5.3; he stands 1.5 m north of it and looks north
	await _stand(t, hiker, Vector3(-5, 0.05, -6.8), 0.0)
	t.between("a wall behind the hiker shortens the arm", _arm(t).length(), 0.5, 1.5 / cos(deg_to_rad(t.parameter("pitch"))) + 0.1)
	t.check("the camera is on his side of the wall", _camera(t).global_position.z < -5.3, "it is inside the wall or beyond it")
	# beside the terrace, whose west face is at x = 5.5 and whose top is at y = 2: he looks west
	await _stand(t, hiker, Vector3(4.5, 0.05, 3), PI / 2)
	t.check("the terrace shortens the arm", _arm(t).length() < t.parameter("length") - 0.5 and _arm(t).length() > 0.3,
			"the arm is %.2f m long beside it" % _arm(t).length())
	var at = _camera(t).global_position
	t.check("the camera is not inside the terrace", at.x < 5.5 or at.y > 2.0, "it is at %s" % at)
	await _stand(t, hiker, Vector3(-6, 0.05, 6), 0.0)
	t.near("back in the open the arm is long again", _arm(t).length(), t.parameter("length"), 0.15)


func test_critters(t):
	await t.open()
	var hiker = _hiker(t)
	await _stand(t, hiker, Vector3(-6, 0.05, 6), 0.0)
	var blocker = t.make("AnimatableBody3D", {"collision_layer": 4})
	blocker.add_child(t.make("CollisionShape3D", {"shape": t.make("BoxShape3D", {"size": Vector3(4, 8, 0.5)})}))
	hiker.get_parent().add_child(blocker)
	blocker.global_position = Vector3(-6, 1, 8)
	await t.physics(10)
	t.near("a critter behind him does not shorten the arm", _arm(t).length(), t.parameter("length"), 0.15)
	blocker.collision_layer = 2
	await t.physics(10)
	t.check("any wall behind him shortens the arm", _arm(t).length() < 2.5, "the arm is %.2f m long" % _arm(t).length())


func test_the_rest(t):
	await t.open()
	var overview = t.the("Camera3D", null, {"name": "Overview"})
	t.check("the overview camera is still there", overview != null
			and t.distance(overview.global_position, Vector3(0, 12, 14)) < 0.1, "it is gone or was moved")
	t.equal("the hiker is on his layer", _hiker(t).collision_layer, 8)
	t.equal("the hiker bumps into ground and walls", _hiker(t).collision_mask, 3)
	t.equal("the layers of ground and walls are as they were",
			t.all("StaticBody3D").map(func(body): return body.collision_layer), [1, 1, 2, 2])
	var frogs = t.all("CharacterBody3D", null, {"group": "critters"})
	t.equal("both frogs are on their layer", frogs.map(func(frog): return frog.collision_layer), [4, 4])


func _hiker(t):
	return t.the("CharacterBody3D", null, func(node): return not node.is_in_group("critters"))


func _camera(t):
	return _hiker(t).get_viewport().get_camera_3d()


## From where the arm is to begin to the camera.
func _arm(t):
	var hiker = _hiker(t)
	return _camera(t).global_position - (hiker.global_position + Vector3.UP * t.parameter("height"))


func _asked(t, hiker):
	return hiker.global_basis * Vector3.BACK.rotated(Vector3.RIGHT, -deg_to_rad(t.parameter("pitch")))


func _stand(t, hiker, place, turn):
	hiker.global_position = place
	hiker.rotation.y = turn
	hiker.velocity = Vector3.ZERO
	await t.physics(20)
