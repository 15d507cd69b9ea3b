extends RefCounted
# Notes each emission of one signal, with what the test wants to know of that moment.

var number: int
var samples: Array
var driver: Node


func note(...arguments: Array) -> void:
	driver.emitted(number, arguments, samples.map(func(one: Array) -> Variant: return seen(one[0], one[1])))


# A property, or what a method without arguments returns.
static func seen(object: Variant, what: String) -> Variant:
	if not is_instance_valid(object):
		return null
	return (object as Object).call(what) if (object as Object).has_method(what) else (object as Object).get_indexed(what)
