"""What is to be recorded: one demo, and how."""

from typing import NamedTuple

from benchmark.replay.evidence import RecorderSettings
from benchmark.replay.traces import Trace


class TakeOrder(NamedTuple):
    """A recording to be made. `window`: first and last frame of which pictures are taken, if not drawn by lot."""

    trace: Trace
    settings: RecorderSettings
    window: tuple[int, int] | None = None
