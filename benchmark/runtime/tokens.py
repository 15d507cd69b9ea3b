"""Tokens: however many workers there are, games are drawn on the cores there are, and requests stay under a limit.

A token is a lock on one of n files, so it comes back when its holder dies.
"""

import contextlib
import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import IO

from benchmark.paths import cache_root

CORES_VARIABLE = "GAMECRAFT_CORES"
REQUESTS_VARIABLE = "GAMECRAFT_JUDGE_REQUESTS"
REQUESTS = 32  # judge requests under way at once
_POLL_SEC = 0.05


def core_count() -> int:
    """Cores that games may use: all of the machine's, or `$GAMECRAFT_CORES`."""
    chosen = os.environ.get(CORES_VARIABLE, "")
    return max(1, int(chosen)) if chosen.isdigit() else len(os.sched_getaffinity(0))


def _files() -> list[Path]:
    folder = cache_root() / "tokens"
    folder.mkdir(parents=True, exist_ok=True)
    return [folder / f"core-{index}.lock" for index in range(core_count())]


def _try(path: Path) -> IO[str] | None:
    handle = path.open("a")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        return None
    return handle


def cpu_token() -> AbstractContextManager[None]:
    """Hold one core. Waits, in no particular order, until one is free."""
    return _one_of(_files())


def request_slot(endpoint: str) -> AbstractContextManager[None]:
    """Hold one of the requests that may be under way at an endpoint, over all workers of this machine."""
    chosen = os.environ.get(REQUESTS_VARIABLE, "")
    count = max(1, int(chosen)) if chosen.isdigit() else REQUESTS
    name = hashlib.sha256(endpoint.encode()).hexdigest()[:12]
    folder = cache_root() / "tokens"
    folder.mkdir(parents=True, exist_ok=True)
    return _one_of([folder / f"request-{name}-{index}.lock" for index in range(count)])


@contextmanager
def _one_of(files: list[Path]) -> Iterator[None]:
    while True:
        for path in files:
            if (handle := _try(path)) is not None:
                with contextlib.closing(handle):
                    yield
                return
        time.sleep(_POLL_SEC)


@contextmanager
def whole_machine() -> Iterator[None]:
    """Hold every core: real-time recording does not bear company."""
    with ExitStack() as stack:
        for path in _files():  # always in the same order, so that two of these cannot block each other
            handle = stack.enter_context(path.open("a"))
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
