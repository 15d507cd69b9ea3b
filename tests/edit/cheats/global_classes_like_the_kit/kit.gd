class_name Kit
extends RefCounted


func check(_name, _holds, _message = ""):
	return true
