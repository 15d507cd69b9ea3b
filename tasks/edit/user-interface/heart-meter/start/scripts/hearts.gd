extends HBoxContainer
## The row of hearts in the corner of the screen.

const HEART := preload("res://scenes/heart.tscn")

@export var hero: Hero
