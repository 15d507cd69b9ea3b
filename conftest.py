"""Loads the suite's plugin, which brings its own fixtures, and the fixtures of the tests; nothing else."""

pytest_plugins = [
    "pytester",
    "benchmark.suite.plugin",
    "fixtures.runtime",
    "fixtures.recording",
    "fixtures.browser",
    "fixtures.attacks",
]
