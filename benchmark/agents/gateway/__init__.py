"""The way of an agent's program to its model, and to nothing else."""
