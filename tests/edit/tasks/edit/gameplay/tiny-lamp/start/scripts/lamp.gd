extends Node2D

signal switched(is_on: bool)

var is_on := false
var brightness := 0
