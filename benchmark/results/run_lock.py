"""Who may write a run: one command at a time, and nobody but its own workers.

The command holds one lock, each of its workers shares in another. The kernel drops a lock when its holder dies, so a
killed command leaves none behind; its workers may live a moment longer, and the next command waits for their end.
"""

import contextlib
import fcntl
import os
import time
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import InfrastructureError, UsageError

LOCK_FILE = "run.lock"
WORKERS_FILE = "workers.lock"
_PATIENCE_SEC = 20.0  # xdist ends a worker that lost its controller after 15 s; ours end at once
_LOOK_SEC = 0.05


class BusyError(Exception):
    """Somebody else holds the lock."""


@dataclass(frozen=True)
class Lock:
    """A lock that this process holds."""

    path: Path
    descriptor: int

    @property
    def is_real(self) -> bool:
        """Whether others would meet it: not if the run was deleted and begun anew."""
        try:
            return os.path.samestat(os.fstat(self.descriptor), self.path.lstat())
        except OSError:
            return False

    def release(self) -> None:
        os.close(self.descriptor)


def hold(folder: Path) -> Lock:
    """Become the one that writes the run, once the workers of whoever did are gone. Raises UsageError and OSError."""
    with contextlib.ExitStack() as undo:
        try:
            lock = _lock(folder / LOCK_FILE, fcntl.LOCK_EX)
        except BusyError:
            raise UsageError(
                f"run {folder.name!r} is being written by another process",
                fix="wait for it, or choose another --run name",
            ) from None
        undo.callback(lock.release)
        _wait_for_workers(folder)
        undo.pop_all()
        return lock


def _wait_for_workers(folder: Path) -> None:
    path = folder / WORKERS_FILE
    deadline = time.monotonic() + _PATIENCE_SEC
    while path.exists():
        try:
            _lock(path, fcntl.LOCK_EX).release()
            return
        except BusyError:
            if time.monotonic() > deadline:
                raise UsageError(
                    f"run {folder.name!r} is still being written by workers of a command that was ended",
                    fix="wait for their end, or choose another --run name",
                ) from None
            time.sleep(_LOOK_SEC)


def share(folder: Path, parent: int | None) -> Lock:
    """For a worker, before it writes anything: whoever holds the run next waits for us. Raises InfrastructureError.

    `parent` is the process that holds the run. Only if it lives once we share the lock, nobody else can have taken
    the run before.
    """
    try:
        lock = _lock(folder / WORKERS_FILE, fcntl.LOCK_SH)
    except BusyError:
        raise InfrastructureError(f"another process has taken over run {folder.name!r}") from None
    if parent is not None and os.getppid() != parent:
        lock.release()
        raise InfrastructureError(f"the command that writes run {folder.name!r} has ended")
    return lock


def _lock(path: Path, how: int) -> Lock:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
        lock = Lock(path, descriptor)
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.release()
            raise BusyError from None
        except OSError as error:
            lock.release()
            raise UsageError(
                f"{path} cannot be locked: {error.strerror}; two commands could write this run at once",
                fix="keep runs on a file system that has file locks: name it with --runs-dir",
            ) from error
        if lock.is_real:
            return lock
        lock.release()  # somebody deleted the file between the two calls
