"""Godot projects played by recorded inputs: traces, the build gate, recorders, and the evidence that comes of it."""
