"""People as judges: a page to score a run by keyboard, and what their scores say about the run's judge."""
