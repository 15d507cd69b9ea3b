"""Godot projects, whatever the track: taking them in, a safe copy, its import, a start of the engine in it, its log."""
