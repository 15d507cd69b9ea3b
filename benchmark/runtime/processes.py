"""Watching a process and everything it started: output, size of the tree, the end."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmark.runtime.workdir import NOBODY, guard_group, release_group

Ending = Literal["exited", "wall time", "processes", "memory", "output", "stopped"]

_POLL_SEC = 0.02
_TREE_CHECK_SEC = 0.1
_PAGE = os.sysconf("SC_PAGE_SIZE")
_DRAIN_FACTOR = 16  # output beyond the limit is thrown away; beyond this many times the limit the process ends
LineWatcher = Callable[[bytes], bool]


@dataclass(frozen=True)
class Finished:
    """How a process ended. `ending` names the limit that ended it, if one did."""

    exit_code: int
    ending: Ending
    wall_sec: float
    output: bytes
    output_cut: bool

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", errors="replace")

    def describe(self) -> str:
        """A phrase for messages: `killed by SIGSEGV`, `exit code 1`, `over its wall time limit`."""
        if self.ending == "stopped":
            return "stopped by the harness"
        if self.ending != "exited":
            return f"ended at its {self.ending} limit"
        # bubblewrap and shells report a signal as 128 + n
        number = -self.exit_code if self.exit_code < 0 else self.exit_code - 128
        with contextlib.suppress(ValueError):
            if number > 0:
                return f"killed by {signal.Signals(number).name}"
        return f"exit code {self.exit_code}"


def tree(pid: int) -> set[int]:
    """`pid` and all its living descendants."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        if parent in found:
            continue
        found.add(parent)
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                with contextlib.suppress(OSError):
                    waiting.extend(map(int, (task / "children").read_text().split()))
    return found


def _resident_bytes(pids: set[int]) -> int:
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return total


class Supervised:
    """A started process group. Leaving the `with` block leaves nothing of it behind."""

    def __init__(
        self,
        command: list[str],
        *,
        env: dict[str, str],
        wall_sec: float,
        max_processes: int,
        max_memory_bytes: int,
        max_output_bytes: int,
        on_line: LineWatcher | None = None,
        stdin: int = subprocess.DEVNULL,
        as_nobody: bool = False,
    ) -> None:
        """`on_line` sees every output line first; a line for which it returns True is not kept."""
        self._limits = (wall_sec, max_processes, max_memory_bytes, max_output_bytes)
        self._on_line = on_line
        self._output = bytearray()
        self._output_cut = False
        self._output_seen = 0
        self._ending: Ending = "exited"
        self._started = time.monotonic()
        self._wall_sec: float | None = None
        self.process = subprocess.Popen(
            command, env=env, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True, cwd="/",
            user=NOBODY if as_nobody else None, group=NOBODY if as_nobody else None,
            extra_groups=[] if as_nobody else None,
        )  # fmt: skip
        guard_group(self.process.pid)
        self._reader = threading.Thread(target=self._read_output, daemon=True)
        self._reader.start()

    def __enter__(self) -> "Supervised":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _read_output(self) -> None:
        """Keep the beginning, drain the rest: a chatty game is cut off, not blocked."""
        assert self.process.stdout is not None
        limit = self._limits[3]
        # readline with a bound: a game may print gigabytes without a line end
        while line := self.process.stdout.readline(1 << 16):
            self._output_seen += len(line)
            if self._on_line is not None and self._on_line(line):
                continue
            if len(self._output) < limit:
                self._output += line[: limit - len(self._output)]
            else:
                self._output_cut = True

    def poll_limits(self) -> bool:
        """Enforce the limits once; True while the process runs."""
        if self.process.poll() is not None:
            return False
        wall_sec, max_processes, max_memory, max_output = self._limits
        if time.monotonic() - self._started > wall_sec:
            self._end("wall time")
            return False
        if self._output_seen > max_output * _DRAIN_FACTOR:
            self._end("output")
            return False
        members = tree(self.process.pid)
        if len(members) > max_processes:
            self._end("processes")
            return False
        if _resident_bytes(members) > max_memory:
            self._end("memory")
            return False
        return True

    def wait(self, until: Callable[[], bool]) -> bool:
        """Watch over the process until it ends (True) or `until()` holds (False)."""
        next_check = 0.0
        while True:
            now = time.monotonic()
            if now >= next_check:
                next_check = now + _TREE_CHECK_SEC
                if not self.poll_limits():
                    return True
            if until():
                return False
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_POLL_SEC)
                return True

    def finish(self) -> Finished:
        """Wait for the end under the limits."""
        self.wait(until=lambda: False)
        return self.stop()

    def _end(self, reason: Ending) -> None:
        if self._ending == "exited" and self.process.poll() is None:
            self._ending = reason
        members = tree(self.process.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pid in members - {self.process.pid}:  # without a pid namespace children may have moved away
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def stop(self) -> Finished:
        """End the whole tree if it still runs; may be called again."""
        if self.process.returncode is None and self.process.poll() is None:
            self._end("stopped")
        code = self.process.wait()
        if self._wall_sec is None:
            self._wall_sec = time.monotonic() - self._started
            with contextlib.suppress(ProcessLookupError):  # stragglers of the group
                os.killpg(self.process.pid, signal.SIGKILL)
            release_group(self.process.pid)
            self._reader.join(timeout=5)
            if self.process.stdin is not None:
                with contextlib.suppress(OSError):
                    self.process.stdin.close()
        return Finished(code, self._ending, self._wall_sec, bytes(self._output), self._output_cut)
