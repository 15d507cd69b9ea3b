"""What the track adds to pytest's command line: how demos are recorded."""

from collections.abc import Callable
from typing import Any

import pytest

from benchmark.replay.evidence import RecorderSettings


def add_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--recorder", choices=("engine", "x11"), default="engine", help="exact time, or real time as in the paper"
    )
    group.addoption(
        "--video-fps", type=int, choices=(0, 6, 10, 30), default=10, help="pictures per second of the videos; 0: none"
    )
    group.addoption("--no-pointer", action="store_true", help="do not draw the mouse pointer into stills and videos")


def read_settings(option: Callable[[str], Any]) -> RecorderSettings:
    return RecorderSettings(
        recorder=option("--recorder"), video_fps=option("--video-fps"), pointer=not option("--no-pointer")
    )
