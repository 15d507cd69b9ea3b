"""Games played, in the report."""
