extends RefCounted


func test_the_switch(t):
	await t.open()
	var lamp = t.role(["lamp"])
	if not t.exists("the lamp is there", lamp, "no node named lamp"):
		return
	t.equal("it is dark at first", lamp.is_on, false)
	var heard = t.watch(lamp, "switched")
	await t.tap("switch")
	t.equal("a press lights it", lamp.is_on, true)
	t.equal("it is as bright as asked", lamp.brightness, t.parameter("brightness"))
	await t.tap("switch")
	t.equal("a second press puts it out", lamp.is_on, false)
	t.equal("each flip is told", heard.emissions, [[true], [false]])
