"""Ends the process of a page that eats memory, so that the others and the machine go on."""

import asyncio
import contextlib
import os
import signal
import time
from pathlib import Path

from benchmark.runtime.memory import MemoryMeter
from benchmark.runtime.processes import tree

_LOOK_SEC = 0.2
_RECENTLY_SEC = 5.0


class MemoryWatch:
    """Looks at the browser's processes while it runs."""

    def __init__(self, process_file: Path, page_bytes: int) -> None:
        self._process_file = process_file
        self._page_bytes = page_bytes
        self._meters: dict[int, MemoryMeter] = {}
        self._last_kill = float("-inf")

    @property
    def just_killed(self) -> bool:
        """Whether a crash that is seen now is the watch's doing."""
        return time.monotonic() - self._last_kill < _RECENTLY_SEC

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            with contextlib.suppress(OSError, ValueError):
                self._look(int(self._process_file.read_text()))
            await asyncio.sleep(_LOOK_SEC)

    def _look(self, browser: int) -> None:
        pages = {pid for pid in tree(browser) if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()}
        self._meters = {pid: self._meters.get(pid) or MemoryMeter() for pid in pages}
        for pid, meter in self._meters.items():
            if meter.used({pid}) > self._page_bytes:
                self._last_kill = time.monotonic()
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
