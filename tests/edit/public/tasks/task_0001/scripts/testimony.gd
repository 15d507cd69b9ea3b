extends Node2D
# Its name begins like that of the hidden test; it belongs to the project.

var seen := true
