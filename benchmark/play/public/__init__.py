"""Games and tasks of the public benchmark, as they are."""
