"""Temporary folders that vanish even when the harness is killed.

Each harness process owns a work folder in memory, and one on disk if it needs it, each with a janitor: a
shell that waits on a pipe and, when the pipe closes because the process ended in whatever way, removes the folder.
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

from benchmark.paths import cache_root

_JANITOR_SCRIPT = Path(__file__).with_name("janitor.sh")
_MEMORY_FOLDER = Path("/dev/shm")
_MEMORY_FREE_NEEDED = 2 << 30
# Not 65534: programs of others run as that, and one user's processes may read each other's variables. This number lies
# between those that distributions, systemd and containers give out.
NOBODY = 65530
_lock = threading.Lock()
_sessions: dict[bool, "_Session"] = {}  # on disk? → the folder


class _Session:
    """The work folder of one process, with its janitor."""

    def __init__(self, parent: str | None) -> None:
        self.pid = os.getpid()
        self.folder = Path(tempfile.mkdtemp(prefix="gamecraft-", dir=parent))
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


def _disk_folder() -> str:
    folder = cache_root() / "work"
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder)


def _session(on_disk: bool = False) -> _Session:
    with _lock:
        session = _sessions.get(on_disk)
        if session is None or session.pid != os.getpid():
            session = _sessions[on_disk] = _Session(_disk_folder() if on_disk else _fast_folder())
        return session


@contextmanager
def work_folder(purpose: str, *, on_disk: bool = False) -> Iterator[Path]:
    """A new empty folder, removed on leaving the block or when this process dies. Large things go on disk."""
    folder = Path(tempfile.mkdtemp(prefix=f"{purpose}-", dir=_session(on_disk).folder))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Also what an agent nested deeper than Python can follow, or closed to its owner."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        for command in (("chmod", "-R", "u+rwX"), ("rm", "-rf")):
            subprocess.run([*command, "--", folder], check=False, stderr=subprocess.DEVNULL)


def hand_over(folder: Path) -> None:
    """Let a sandboxed program that runs as nobody write here."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def guard_group(pgid: int) -> None:
    """Have the janitor kill this process group if we die before `release_group`."""
    _session().tell(f"group {pgid}")


def release_group(pgid: int) -> None:
    """The group has ended; its number may be used by others from now on."""
    _session().tell(f"ended {pgid}")
