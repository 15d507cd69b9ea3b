extends Node2D
# Walk along the row and wake every ember. The keeper stays on the path; an ember that is reached lights up.

const SPEED := 420.0
const REACH := 40.0

var lit := 0

@onready var keeper: Polygon2D = $Keeper
@onready var count: Label = $Count


func _ready() -> void:
	for place in 4:
		var ember := Polygon2D.new()
		ember.polygon = PackedVector2Array([Vector2(0, -22), Vector2(18, 0), Vector2(0, 22), Vector2(-18, 0)])
		ember.position = Vector2(360 + 220 * place, 520)
		ember.color = Color(0.3, 0.25, 0.35)
		$Embers.add_child(ember)
	_tell()


func _process(delta: float) -> void:
	var way := Input.get_axis("ui_left", "ui_right")
	keeper.position.x = clampf(keeper.position.x + way * SPEED * delta, 60, 1220)
	for ember: Polygon2D in $Embers.get_children():
		if not ember.has_meta("lit") and absf(ember.position.x - keeper.position.x) < REACH:
			ember.set_meta("lit", true)
			ember.color = Color(1.0, 0.55, 0.15)
			lit += 1
			_tell()


func _tell() -> void:
	var all := $Embers.get_child_count()
	count.text = "All embers are awake" if lit == all else "Embers %d of %d - walk with the arrow keys" % [lit, all]
