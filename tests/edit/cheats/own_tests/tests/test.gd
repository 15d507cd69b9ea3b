extends RefCounted


func test_the_switch(t):
	t.check("the lamp is there", true)
