"""The line at the bottom of a terminal that says what is running. Workers leave their stage in a file; we read it."""

import contextlib
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

STAGE_FILE = "stage.txt"  # in the trial's folder while the trial runs
_TICK_SEC = 1.0


def write_stage(folder: Path, stage: str) -> None:
    """Called by whoever runs a trial; the file is gone when the trial is over."""
    with contextlib.suppress(OSError):
        if stage:
            (folder / STAGE_FILE).write_text(stage, encoding="utf-8")
        else:
            (folder / STAGE_FILE).unlink(missing_ok=True)


class LiveLine:
    """Redraws one line every second. All other output must go through `above`."""

    def __init__(self, stream: TextIO, describe: Callable[[], str]) -> None:
        self._stream = stream
        self._describe = describe
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._drawn = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Leave nothing behind on the screen."""
        self._stop.set()
        with self._lock:
            self._clear()

    def above(self, write: Callable[[], None]) -> None:
        """Write lines that stay, above the live one."""
        with self._lock:
            self._clear()
            write()

    def _clear(self) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False

    def _run(self) -> None:
        while not self._stop.wait(_TICK_SEC):
            text = self._describe()
            width = shutil.get_terminal_size().columns - 1
            with self._lock:
                if text and not self._stop.is_set():
                    self._stream.write(f"\r\x1b[K{text[:width]}")
                    self._stream.flush()
                    self._drawn = True


def running_line(started: dict[str, tuple[float, Path]], tail: str) -> str:
    """`2 running: lantern-keeper[oracle] replay 3/10, 41 s · …`, the longest first."""
    parts = []
    for label, (since, folder) in sorted(started.items(), key=lambda entry: entry[1][0]):
        stage = ""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            stage = (folder / STAGE_FILE).read_text(encoding="utf-8")[:40] + ", "
        parts.append(f"{label.rpartition('/')[2]} {stage}{time.monotonic() - since:.0f} s")
    return f"{len(parts)} running: {' · '.join(parts)}{tail}" if parts else ""
