"""The replay stage: from a prepared project and a trace to gameplay evidence."""
