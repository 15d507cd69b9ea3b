"""What judges of more than one track use: the client of a model endpoint, and what it costs."""
