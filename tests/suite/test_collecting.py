"""What listing the trials of a large run costs."""

from benchmark.commands.timed import time_collection
from tests.suite.conftest import REPOSITORY

MOST_SEC = 1.0  # for a thousand trials, in processor time; `bench-suite` measures the wait


def test_a_thousand_trials_are_collected_in_a_moment() -> None:
    few = time_collection([REPOSITORY / "tasks"], attempts=1)
    many = time_collection([REPOSITORY / "tasks"], attempts=20)
    more = many.trials - few.trials
    assert more >= 1000
    assert (many.processor_sec - few.processor_sec) / more * 1000 < MOST_SEC
