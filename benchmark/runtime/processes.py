"""Watching a process and everything it started: output, size of the tree, the end."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

from benchmark.runtime import cgroups
from benchmark.runtime.memory import MemoryMeter
from benchmark.runtime.workdir import NOBODY, guard_group, release_group

Ending = Literal["exited", "wall time", "processes", "memory", "output", "disk", "stopped"]

_POLL_SEC = 0.02
_TREE_CHECK_SEC = 0.1
_DRAIN_FACTOR = 16  # output beyond the limit is thrown away; beyond this many times the limit the process ends
LineWatcher = Callable[[bytes], bool]
Check = Callable[[set[int]], Ending | None]  # the limit that a tree of processes is over


@dataclass(frozen=True)
class Start:
    """A program and what it is started with. It inherits `descriptors`; closing ours stays with the caller."""

    command: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    stdin: int = subprocess.DEVNULL
    as_nobody: bool = False
    descriptors: tuple[int, ...] = ()


@dataclass(frozen=True)
class Bounds:
    """What the supervisor itself enforces, by looking."""

    wall_sec: float
    processes: int
    threads: int
    memory_bytes: int
    output_bytes: int
    others: tuple[Check, ...] = ()


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


def _thread_count(pids: set[int]) -> int:
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            total += Path(f"/proc/{pid}/task").stat().st_nlink - 2  # one for each thread
    return total


class Supervised:
    """A started process group. Leaving the `with` block leaves nothing of it behind."""

    def __init__(
        self, start: Start, bounds: Bounds, on_line: LineWatcher | None = None, on_error_line: LineWatcher | None = None
    ) -> None:
        """Standard error goes where standard output goes, unless it has a watcher of its own."""
        """`on_line` sees every output line first; a line for which it returns True is not kept."""
        self._bounds = bounds
        self._memory = MemoryMeter()
        self._output = bytearray()
        self._output_cut = False
        self._output_seen = 0
        self._ending: Ending = "exited"
        self._started = time.monotonic()
        self._wall_sec: float | None = None
        self._failure: Exception | None = None  # of whoever watches the lines
        parent = cgroups.support().parent
        self._group = cgroups.Group(parent, bounds.memory_bytes, bounds.threads) if parent else None
        command = start.command if self._group is None else self._group.waiting(start.command)
        self.process = subprocess.Popen(
            command, env=start.env, stdin=start.stdin, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if on_error_line is None else subprocess.PIPE,
            start_new_session=True, cwd="/", pass_fds=start.descriptors,
            user=NOBODY if start.as_nobody else None, group=NOBODY if start.as_nobody else None,
            extra_groups=[] if start.as_nobody else None,
        )  # fmt: skip
        guard_group(self.process.pid)
        if self._group is not None:
            self._group.admit(self.process.pid)
        streams = ((self.process.stdout, on_line), (self.process.stderr, on_error_line))
        self._readers = [
            threading.Thread(target=self._read, args=(stream, watcher), daemon=True)
            for stream, watcher in streams
            if stream is not None
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> "Supervised":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _read(self, stream: IO[bytes], watcher: LineWatcher | None) -> None:
        """Keep the beginning, drain the rest: a chatty game is cut off, not blocked."""
        limit = self._bounds.output_bytes
        # readline with a bound: a game may print gigabytes without a line end
        while line := stream.readline(1 << 16):
            self._output_seen += len(line)
            if self._is_taken(line, watcher):
                continue
            if len(self._output) < limit:
                self._output += line[: limit - len(self._output)]
            else:
                self._output_cut = True

    def _is_taken(self, line: bytes, watcher: LineWatcher | None) -> bool:
        """Whether the watcher keeps a line to itself. If it fails, on a full disk say, the program is not held up."""
        if watcher is None or self._failure is not None:
            return False
        try:
            return watcher(line)
        except Exception as error:  # raised by `stop`, in the thread that waits
            self._failure = error
            return False

    def poll_limits(self) -> bool:
        """Enforce the limits once; True while the process runs."""
        if self.process.poll() is not None:
            return False
        over = self._over()
        if over is not None:
            self._end(over)
        return over is None

    def _over(self) -> Ending | None:
        bounds = self._bounds
        if time.monotonic() - self._started > bounds.wall_sec:
            return "wall time"
        if self._output_seen > bounds.output_bytes * _DRAIN_FACTOR:
            return "output"
        members = tree(self.process.pid)
        if len(members) > bounds.processes or _thread_count(members) > bounds.threads:
            return "processes"
        if self._memory.used(members) > bounds.memory_bytes:
            return "memory"
        return next((over for check in bounds.others if (over := check(members))), None)

    def wait(self, until: Callable[[], bool]) -> bool:
        """Watch over the process until it ends (True) or `until()` holds (False)."""
        next_check = 0.0
        while True:
            now = time.monotonic()
            if now >= next_check:
                next_check = now + _TREE_CHECK_SEC
                if not self.poll_limits():
                    return True
            if self._failure is not None or until():
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
        """End the whole tree if it still runs; may be called again. Raises what whoever watched its lines raised."""
        if self.process.returncode is None and self.process.poll() is None:
            self._end("stopped")
        code = self.process.wait()
        if self._wall_sec is None:
            self._wall_sec = time.monotonic() - self._started
            with contextlib.suppress(ProcessLookupError):  # stragglers of the group
                os.killpg(self.process.pid, signal.SIGKILL)
            release_group(self.process.pid)
            if self._group is not None:
                if self._ending == "exited" and self._group.ran_out_of_memory():
                    self._ending = "memory"
                self._group.close()
            for reader in self._readers:
                reader.join(timeout=5)
            if self.process.stdin is not None:
                with contextlib.suppress(OSError):
                    self.process.stdin.close()
            if self._failure is not None:
                raise self._failure
        return Finished(
            exit_code=code,
            ending=self._ending,
            wall_sec=self._wall_sec,
            output=bytes(self._output),
            output_cut=self._output_cut,
        )
