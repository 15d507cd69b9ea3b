"""Progress lines for anything that takes longer than two seconds."""

import sys
import time
from typing import TextIO

BAR_WIDTH = 24
REDRAW_SEC = 0.1
PLAIN_LINE_EVERY_SEC = 5.0


class Progress:
    """A bar on a terminal, a line every few seconds elsewhere, nothing when quiet."""

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._live = self._stream.isatty()
        self._last_drawn = 0.0
        self._open_line = False

    def say(self, message: str) -> None:
        """A line that stays."""
        if not self._quiet:
            self._close_line()
            print(message, file=self._stream, flush=True)

    def update(self, label: str, fraction: float) -> None:
        """Show how far `label` has come; cheap to call often."""
        interval = REDRAW_SEC if self._live else PLAIN_LINE_EVERY_SEC
        now = time.monotonic()
        if self._quiet or (now - self._last_drawn < interval and fraction < 1.0):
            return
        self._last_drawn = now
        fraction = min(max(fraction, 0.0), 1.0)
        if self._live:
            done = round(fraction * BAR_WIDTH)
            bar = "█" * done + "·" * (BAR_WIDTH - done)
            print(f"\r\x1b[K  {bar} {fraction:4.0%}  {label}", end="", file=self._stream, flush=True)
            self._open_line = True
        else:
            print(f"  {fraction:4.0%}  {label}", file=self._stream, flush=True)

    def _close_line(self) -> None:
        if self._open_line:
            print("\r\x1b[K", end="", file=self._stream)
            self._open_line = False

    def done(self) -> None:
        """Remove an unfinished bar."""
        self._close_line()


QUIET = Progress(quiet=True)
