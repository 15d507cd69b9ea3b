class_name Ferry
extends Node2D
## A ferry between two piers.

@export var route: Path2D
