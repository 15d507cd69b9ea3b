"""Temporary folders that vanish even when the harness is killed.

Each harness process owns one work folder and one janitor: a shell that waits on a pipe and, when
the pipe closes because the process ended in whatever way, removes the folder.
"""

import atexit
import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_JANITOR_SCRIPT = Path(__file__).with_name("janitor.sh")
_MEMORY_FOLDER = Path("/dev/shm")
_MEMORY_FREE_NEEDED = 2 << 30
NOBODY = 65534
_lock = threading.Lock()
_current: "_Session | None" = None


class _Session:
    """The work folder of one process, with its janitor."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.folder = Path(tempfile.mkdtemp(prefix="gamecraft-", dir=_fast_folder()))
        self.folder.chmod(0o711)  # a game that runs as nobody reaches its own folder, and lists none
        self.janitor = subprocess.Popen(
            ["/bin/sh", str(_JANITOR_SCRIPT), str(self.folder)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, cwd="/", text=True, bufsize=1,
        )  # fmt: skip
        atexit.register(self.close)

    def tell(self, line: str) -> None:
        assert self.janitor.stdin is not None
        with contextlib.suppress(BrokenPipeError, ValueError):
            self.janitor.stdin.write(line + "\n")

    def close(self) -> None:
        if os.getpid() == self.pid and self.janitor.stdin is not None:  # not in a forked child
            self.janitor.stdin.close()
            self.janitor.wait()


def _fast_folder() -> str | None:
    """Memory-backed where there is room: sockets and frames pass through here."""
    try:
        usage = shutil.disk_usage(_MEMORY_FOLDER)
    except OSError:
        return None
    writable = os.access(_MEMORY_FOLDER, os.W_OK | os.X_OK)
    return str(_MEMORY_FOLDER) if writable and usage.free > _MEMORY_FREE_NEEDED else None


def _session() -> _Session:
    global _current
    with _lock:
        if _current is None or _current.pid != os.getpid():
            _current = _Session()
        return _current


@contextmanager
def work_folder(purpose: str) -> Iterator[Path]:
    """A new empty folder, removed on leaving the block or when this process dies."""
    folder = Path(tempfile.mkdtemp(prefix=f"{purpose}-", dir=_session().folder))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def guard_group(pgid: int) -> None:
    """Have the janitor kill this process group if we die before `release_group`."""
    _session().tell(f"group {pgid}")


def release_group(pgid: int) -> None:
    """The group has ended; its number may be used by others from now on."""
    _session().tell(f"ended {pgid}")
