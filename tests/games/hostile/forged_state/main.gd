# Attacks: whoever reads the state log. Puts its own observer in the harness's place, whose answers are of every wrong form.
extends Node2D


func _ready() -> void:
	get_tree().root.get_child(0).set(&"_observer", load("res://liar.gd").new())
