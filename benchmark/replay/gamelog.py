"""The engine's output while a demo runs: kept, and each line dated by the frame it was written in."""

import threading
import time
from collections.abc import Callable, Iterable

from benchmark.projects.runlog import EngineMessage, parse_log


class GameLog:
    """Watches the output for the replayer's frame markers; knows how far the game has come.

    The game can read the marker. `newest` says which frame can have begun at most, so that it does not date what it
    prints past the end of the demo, nor look alive while it hangs.
    """

    def __init__(self, marker: str, newest: Callable[[], int] | None = None) -> None:
        self.marker = marker
        self._newest = newest
        self._marker = marker.encode()
        self._frame_of_line: dict[int, int] = {}
        self._lines = 0
        self._lock = threading.Lock()
        self.frame = -1
        self._last_progress = time.monotonic()

    def stalled_for(self) -> float:
        """Seconds since the last frame began, or since the start."""
        return time.monotonic() - self._last_progress

    def watch(self, line: bytes) -> bool:
        """Called for every output line; markers are taken out of the log."""
        with self._lock:
            # a marker may follow text that the game printed without a line end
            before, found, number = line.partition(self._marker)
            if found and self._begins(number.strip()):
                self.frame = int(number)
                self._last_progress = time.monotonic()
                return not before
            if found and self._is_beyond_the_end(number.strip()):
                return not before
            self._frame_of_line[self._lines] = self.frame
            self._lines += 1
            return False

    def _begins(self, number: bytes) -> bool:
        if not number.isdigit() or len(number) > 9:
            return False
        frame = int(number)
        return self._newest is None or self.frame < frame <= self._newest()

    def _is_beyond_the_end(self, number: bytes) -> bool:
        """The engine may begin one more frame before it quits: nobody wants to read of it, and it dates nothing."""
        if self._newest is None or not number.isdigit() or len(number) > 9:
            return False
        return int(number) == self._newest() + 1

    def messages(self, text: str) -> tuple[EngineMessage, ...]:
        """Errors and warnings of the log that was kept."""
        return parse_log(text, self._frame_of_line)


def remarks(notes: Iterable[tuple[int, str]]) -> tuple[EngineMessage, ...]:
    """What the harness has to say of a demo, beside what engine and game said."""
    first: dict[str, tuple[int, int]] = {}
    for frame, text in notes:
        began, count = first.get(text, (frame, 0))
        first[text] = (began, count + 1)
    return tuple(
        EngineMessage(severity="warning", text=f"harness: {text}", file=None, line=None, frame=frame, count=count)
        for text, (frame, count) in first.items()
    )
