"""The engine's output while a demo runs: kept, and each line dated by the frame it was written in."""

import threading
import time

from benchmark.projects.runlog import EngineMessage, parse_log


class GameLog:
    """Watches the output for the replayer's frame markers; knows how far the game has come."""

    def __init__(self, marker: str) -> None:
        self.marker = marker
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
            if found and number.strip().isdigit():
                self.frame = int(number)
                self._last_progress = time.monotonic()
                return not before
            self._frame_of_line[self._lines] = self.frame
            self._lines += 1
            return False

    def messages(self, text: str) -> tuple[EngineMessage, ...]:
        """Errors and warnings of the log that was kept."""
        return parse_log(text, self._frame_of_line)
