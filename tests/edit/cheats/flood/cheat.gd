extends Node


func _process(_delta: float) -> void:
	for count in 2000:
		print("x".repeat(60000))
