"""What trials add up to: the run store, statistics, tables, gates, reports."""
