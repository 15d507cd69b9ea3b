"""Loads the fixtures; nothing else."""

pytest_plugins = ["fixtures.runtime", "fixtures.recording"]
