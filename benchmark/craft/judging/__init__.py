"""Judging games: evidence and a rubric become scores with reasons."""
