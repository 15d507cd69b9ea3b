"""GameCraft-Bench: measure agents by the games they build, change, deliver and play."""

__version__ = "0.1.0"
