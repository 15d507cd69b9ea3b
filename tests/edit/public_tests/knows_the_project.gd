class_name HiddenValidation
extends Node

const Purse := preload("res://scripts/purse.gd")

var purse: Coins = Purse.new()

@onready var main: Node = $Main


func _ready() -> void:
	run_validation()


func fail(message: String) -> void:
	push_error("VALIDATION_FAILED: %s" % message)
	get_tree().quit(1)


func run_validation() -> void:
	purse.add(3)
	Ledger.note(purse.count)
	if Ledger.noted != [3] or get_tree().root.get_node("Ledger").noted != [3]:
		fail("the ledger does not know the purse")
	elif main.get_node_or_null("Coin") == null:
		fail("there is no Coin")
	else:
		print_rich("[b]VALIDATION_PASSED: [/b]all is there")
		get_tree().quit(1)   # as some of them do
