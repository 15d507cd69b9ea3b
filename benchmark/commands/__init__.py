"""One module per command of `python -m benchmark`: `add_arguments(parser)` and `run(options)`."""
