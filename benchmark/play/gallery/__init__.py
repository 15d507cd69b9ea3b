"""Games for people: a page of tiles and the games behind it, on this machine alone."""
