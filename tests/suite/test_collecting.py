"""What listing the trials of a large run costs."""

import subprocess
import sys

import pytest

from benchmark.commands.timed import time_collection
from tests.suite.conftest import REPOSITORY

WANTED_SEC = 1.0
MARGIN = 2.0  # this machine may be busy: `python -m benchmark bench-suite` measures where it is not


def test_a_thousand_trials_are_collected_in_a_moment() -> None:
    runs = [time_collection([REPOSITORY / "tasks"], attempts=20) for _ in range(3)]
    assert min(count for count, _ in runs) >= 1000
    assert min(seconds / count * 1000 for count, seconds in runs) < WANTED_SEC * MARGIN


HEAVY = (
    "numpy",
    "cv2",
    "jinja2",
    "imageio_ffmpeg",
    "playwright",
    "mcp",
    "benchmark.craft.trial",
    "benchmark.edit.trial",
)
LISTING = f"""
import sys, pytest
code = pytest.main(["--collect-only", "-q", "-p", "no:hypothesispytest", "-p", "no:cacheprovider"])
print("heavy:", [name for name in {HEAVY} if name in sys.modules])
sys.exit(code)
"""
HELP = f"""
import sys
from benchmark.cli import main
try:
    main(["--help"])
finally:
    print("heavy:", [name for name in ({HEAVY} + ("pytest", "benchmark.tracks")) if name in sys.modules])
"""


@pytest.mark.parametrize("script", [LISTING, HELP], ids=["trials", "commands"])
def test_who_only_lists_loads_nothing_heavy(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert "heavy: []" in done.stdout
