class_name Hud
extends CanvasLayer

@onready var _coins: Label = %Coins
@onready var _falls: Label = %Falls
@onready var _clock: Label = %Clock
@onready var _banner: Label = %Banner


func show_counts(coins: int, total: int, falls: int, seconds: float) -> void:
	_coins.text = "%d / %d" % [coins, total]
	_falls.text = "%d falls" % falls
	_clock.text = "%.1f" % seconds


func announce(text: String) -> void:
	_banner.text = text
	_banner.modulate.a = 1.0
	var tween: Tween = create_tween()
	tween.tween_interval(1.4)
	tween.tween_property(_banner, "modulate:a", 0.0, 0.8)
