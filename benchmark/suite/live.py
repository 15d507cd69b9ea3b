"""What is running, said while it runs: a line at the bottom of a terminal, or now and then a line in a log.

Workers leave their stage in a file, and agents what they do; we read both.
"""

import contextlib
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

STAGE_FILE = "stage.txt"  # in the trial's folder while the trial runs
TICK_SEC = 1.0
HEARTBEAT_SEC = 30.0
_USUAL_COLUMNS = 80


def write_stage(folder: Path, stage: str) -> None:
    """Called by whoever runs a trial; the file is gone when the trial is over."""
    with contextlib.suppress(OSError):
        if stage:
            (folder / STAGE_FILE).write_text(stage, encoding="utf-8")
        else:
            (folder / STAGE_FILE).unlink(missing_ok=True)


def own_stdout() -> TextIO:
    """Where standard output leads now: pytest turns it elsewhere while a test runs in this process."""
    return os.fdopen(os.dup((sys.__stdout__ or sys.stdout).fileno()), "w", encoding="utf-8", errors="replace")


class _Teller:
    """Says something again and again. All other output must go through `above`."""

    def __init__(self, stream: TextIO, every_sec: float) -> None:
        self._stream = stream
        self._every_sec = every_sec
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Leave nothing behind on the screen."""
        self._stop.set()
        self._thread.join()
        self._clear()
        self._stream.close()

    def above(self, write: Callable[[], None]) -> None:
        """Write lines that stay, above what will be said next."""
        with self._lock:
            self._clear()
            write()

    def _run(self) -> None:
        while not self._stop.wait(self._every_sec):
            with self._lock, contextlib.suppress(OSError):  # whoever read it may be gone
                self._tell()

    def _tell(self) -> None:
        raise NotImplementedError

    def _clear(self) -> None:
        """Take away what is not to stay."""


class LiveLine(_Teller):
    """Redraws one line every second. `describe` is told how many columns there are."""

    def __init__(self, stream: TextIO, describe: Callable[[int], str]) -> None:
        super().__init__(stream, TICK_SEC)
        self._describe = describe
        self._drawn = False

    def _tell(self) -> None:
        if text := self._describe(self._columns() - 1):
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()
            self._drawn = True

    def _columns(self) -> int:
        """Of this very terminal: `shutil` asks standard output, which may lead elsewhere by now."""
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or _USUAL_COLUMNS
        except OSError:
            return _USUAL_COLUMNS

    def _clear(self) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False


class Heartbeat(_Teller):
    """A line every half minute, where there is no terminal to redraw one on: a log of hours says that all is well."""

    def __init__(self, stream: TextIO, describe: Callable[[], str]) -> None:
        super().__init__(stream, HEARTBEAT_SEC)
        self._describe = describe

    def _tell(self) -> None:
        if text := self._describe():
            self._stream.write(f"{text}\n")
            self._stream.flush()
