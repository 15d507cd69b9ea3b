"""What an agent may ask of its work while it works: the public checks, a replay, pictures of game and editor."""
