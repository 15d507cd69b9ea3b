"""Track `play`: an agent plays a browser game, and the state of the game says how far it came."""
