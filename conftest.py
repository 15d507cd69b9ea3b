"""Loads the suite's plugin and the fixtures; nothing else."""

pytest_plugins = [
    "pytester",
    "benchmark.suite.plugin",
    "fixtures.runtime",
    "fixtures.recording",
    "fixtures.suite",
    "fixtures.browser",
    "fixtures.attacks",
]
