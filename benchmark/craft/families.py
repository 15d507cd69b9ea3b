"""The families of games, and how many tasks of each the full benchmark has."""

FAMILIES = {
    "platformer": 19, "strategy": 17, "tycoon": 16, "open-world": 15, "roguelike": 14, "visual-novel": 11,
    "puzzle": 8, "shooter": 7, "simulation": 6, "card-game": 5, "horror": 5, "rhythm": 5, "idle": 4, "racing": 4,
    "sports": 4,
}  # fmt: skip
