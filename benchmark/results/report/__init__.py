"""The report of a run: one folder of plain pages that needs no server and no network."""
