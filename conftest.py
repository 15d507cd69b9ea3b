"""Loads the suite's plugin and the fixtures; nothing else."""

pytest_plugins = [
    "benchmark.suite.plugin",
    "fixtures.runtime",
    "fixtures.recording",
    "fixtures.suite",
    "fixtures.browser",
]
