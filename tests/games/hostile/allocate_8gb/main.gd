# Attacks: memory. Fills 8 GB with non-zero pages in _ready, so that they are really resident.
# DANGEROUS: never run outside a memory limit.
extends Node2D

const CHUNK: int = 64 * 1024 * 1024
const CHUNKS: int = 128

var frame: int = 0
var hoard: Array[PackedByteArray] = []


func _ready() -> void:
	for i: int in CHUNKS:
		var block: PackedByteArray = PackedByteArray()
		if block.resize(CHUNK) != OK:
			print("ATTACK allocate refused at %d MB" % (i * 64))
			return
		block.fill(1 + i % 255)
		hoard.append(block)
		if i % 8 == 7:
			print("ATTACK allocate holds %d MB" % ((i + 1) * 64))


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
