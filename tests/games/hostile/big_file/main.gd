# Attacks: the disk. Writes 2 GB to user://big.bin in chunks of 16 MB.
# DANGEROUS: never run outside a file-size or tmpfs limit.
extends Node2D

const CHUNK: int = 16 * 1024 * 1024
const CHUNKS: int = 128

var frame: int = 0


func _ready() -> void:
	var file: FileAccess = FileAccess.open("user://big.bin", FileAccess.WRITE)
	if file == null:
		print("ATTACK write user://big.bin refused")
		return
	var block: PackedByteArray = PackedByteArray()
	block.resize(CHUNK)
	block.fill(0xA5)
	for i: int in CHUNKS:
		var worked: bool = file.store_buffer(block)
		file.flush()
		if not worked or file.get_error() != OK:
			print("ATTACK big_file stopped after %d MB" % (i * 16))
			return
		if i % 8 == 7:
			print("ATTACK big_file wrote %d MB" % ((i + 1) * 16))
	print("ATTACK big_file wrote all 2048 MB")


func _process(_delta: float) -> void:
	frame += 1
	queue_redraw()


func _draw() -> void:
	# A bar that grows each frame, so a recording shows how long the game lived.
	draw_rect(Rect2(40, 600, 20.0 * float(frame), 40), Color.ORANGE)
