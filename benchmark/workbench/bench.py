"""Asking the workbench: a request goes to a process of its own and is answered within a time, or given up."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmark.runtime.machine import Machine
from benchmark.runtime.quota import disk_usage
from benchmark.workbench.answers import BUSY, FAILED, Answer, BrokenAnswerError, read_answer
from benchmark.workbench.worker import Order

# A gate takes seconds and a demo of 20 s three; ten games that hang take 20 s each, by two. Waiting for cores counts.
LIMIT_SEC = 600.0
MOST_IMPORTS_BYTES = 1 << 30
_MOST_FILES = 200_000
_POLL_SEC = 0.05
# What the worker gets of our variables: where things are, and nothing that could be a key.
_PASSED = (
    "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "XDG_CACHE_HOME", "GODOT",
    "FFMPEG", "LD_LIBRARY_PATH", "GAMECRAFT_CACHE", "GAMECRAFT_CORES", "GAMECRAFT_SANDBOX",
)  # fmt: skip


class Asks(Protocol):
    """Whoever answers requests: a workbench of this process, or one behind a socket."""

    def ask(self, words: Sequence[str]) -> Answer: ...


@dataclass(frozen=True)
class Bench:
    """One project and the track by whose rules it is looked at. `imports` is a folder of its own besides the cache."""

    project: Path
    track: str
    imports: Path
    godot: str | None = None  # an engine that the user named
    log: Path | None = None  # where bugs of ours are told
    limit_sec: float = LIMIT_SEC

    def ask(self, words: Sequence[str], unwanted: Callable[[], bool] = lambda: False) -> Answer:
        """Waits for the answer; `unwanted` says whether whoever asked is gone."""
        order = Order(
            project=str(self.project), track=self.track, imports=str(self.imports), godot=self.godot, words=list(words)
        )
        with (self.log or Path(os.devnull)).open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "benchmark.workbench.worker"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=worker_environment(),
                start_new_session=True,
            )  # fmt: skip
        try:
            return self._heard(process, order, unwanted)
        finally:
            _end(process)
            self._tidy()

    def _heard(self, process: "subprocess.Popen[bytes]", order: Order, unwanted: Callable[[], bool]) -> Answer:
        found: list[Answer | BrokenAnswerError] = []

        def talk() -> None:
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(json.dumps(order).encode())
                process.stdin.close()
            try:
                found.append(read_answer(process.stdout.read))
            except BrokenAnswerError as error:
                found.append(error)

        talker = threading.Thread(target=talk, daemon=True)
        talker.start()
        until = time.monotonic() + self.limit_sec
        while talker.is_alive() and not unwanted():
            if time.monotonic() > until:
                return Answer(f"given up after {self.limit_sec:.0f} s", FAILED)
            talker.join(_POLL_SEC)
        if found and isinstance(found[0], Answer):
            return found[0]
        return Answer("the workbench failed, not your project", BUSY)

    def _tidy(self) -> None:
        """Every state of a project is imported once; only the art of the last ones is worth keeping."""
        shutil.rmtree(self.imports / "projects", ignore_errors=True)
        used = disk_usage(self.imports, _MOST_FILES)
        if used.size_bytes > MOST_IMPORTS_BYTES or used.files > _MOST_FILES:
            shutil.rmtree(self.imports / "imports", ignore_errors=True)


def named_engine(machine: Machine) -> str | None:
    """The engine that a trial is run with, if it is not the one that is found anyway."""
    userland = machine.userland
    if not userland.is_host and machine.engine.program.is_relative_to(userland.root):
        return None
    return str(machine.engine.program)


def worker_environment() -> dict[str, str]:
    """Of our variables, what processes need that work for somebody untrusted; and where this package is."""
    passed = {name: os.environ[name] for name in _PASSED if name in os.environ}
    paths = (str(Path(__file__).parents[2]), passed.get("PYTHONPATH", ""))
    return {**passed, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Its sandboxes end with it, and its janitor removes its folders."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError, ValueError):
                pipe.close()
