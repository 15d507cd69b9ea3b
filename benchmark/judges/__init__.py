"""Judges: evidence and rubric items in, scores with reasons out."""
