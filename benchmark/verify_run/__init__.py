"""Checking a run that came from elsewhere: every demo replayed, every score computed again."""
