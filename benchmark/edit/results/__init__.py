"""What the records of the track add up to: summaries, tables, gates."""
