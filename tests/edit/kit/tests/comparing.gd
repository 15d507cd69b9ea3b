extends RefCounted


func test_values(t):
	t.equal("whole and broken numbers", 3, 3.0)
	t.equal("lists", [1, "a"], [1, "a"])
	t.near("numbers", 0.95, 1, 0.051)
	t.near("vectors", Vector2(1, 2), Vector2(1.1, 1.9), 0.11)
	t.near("whole vectors", Vector3i(1, 2, 3), Vector3i(1, 2, 4), 1.0)
	t.near("colours", Color(1, 0, 0), Color(0.95, 0.05, 0), 0.06)
	t.near("rectangles", Rect2(0, 0, 10, 10), Rect2(0, 1, 10, 9), 1.0)
	t.between("in between, ends included", 5, 5, 6)
	t.check("others are infinitely far apart", t.distance("1", 1) == INF and t.distance(null, 0) == INF and t.distance(Vector2(), Vector3()) == INF)
