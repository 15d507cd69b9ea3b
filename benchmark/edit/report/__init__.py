"""How the track shows itself in the report."""
