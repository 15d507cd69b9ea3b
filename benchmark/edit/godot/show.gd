extends RefCounted
# Shows the main scene for a second, so that a picture of it can be taken: for people, it decides nothing.


func test_nothing(t):
	await t.open()
	await t.seconds(1.0)
	t.check("it was shown", true)
