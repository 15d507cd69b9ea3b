"""What listing the trials of a large run costs."""

from benchmark.commands.timed import time_collection
from tests.suite.conftest import REPOSITORY

MOST_SEC = 2.0  # of processor time; starting Python and pytest takes about half of it


def test_a_thousand_trials_are_collected_in_a_moment() -> None:
    runs = [time_collection([REPOSITORY / "tasks"], attempts=20) for _ in range(2)]
    assert min(run.trials for run in runs) >= 1000
    assert min(run.processor_sec for run in runs) < MOST_SEC
