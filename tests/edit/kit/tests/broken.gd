extends RefCounted


func test_nothing(t):
	t.check("never" true)
