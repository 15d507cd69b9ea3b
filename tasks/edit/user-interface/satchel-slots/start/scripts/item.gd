class_name Item
extends Resource
## A kind of thing that can lie in a slot.

@export var title := ""
@export var kind := &""
@export var picture: Texture2D
