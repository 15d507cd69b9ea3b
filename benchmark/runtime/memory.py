"""How much memory a tree of processes really holds, as far as /proc tells.

The resident set alone leaves out what a program holds without touching it: shared mappings and memfds that it has
filled and let go of, page tables, what waits in sockets. They are looked for once a second, the rest on every call.
"""

import contextlib
import os
import re
import time
from collections.abc import Iterable
from pathlib import Path

_SCAN_SEC = 1.0  # between two scans
_SCAN_FACTOR = 20  # a tree with very many files is looked through less often: five per cent of a core at most
_KIB = 1024
_SOCKET_BYTES = 256 * _KIB  # what fits into the default buffers of one
_PRIVATE = re.compile(rb"^(?:RssAnon|RssFile|VmPTE):\s+(\d+) kB", re.MULTILINE)
_SHARED = re.compile(rb"^RssShmem:\s+(\d+) kB", re.MULTILINE)
_SHARED_MAPPING = re.compile(rb"^(\w+)-(\w+) \S{3}s \w+ \S+ (\d+) +(?:/dev/zero|/memfd:|/SYSV)", re.MULTILINE)
_MEMORY_FILE = "/memfd:"
_SOCKET = "socket:["


class MemoryMeter:
    """Measures one tree again and again."""

    def __init__(self) -> None:
        self._held = 0
        self._next_scan = 0.0

    def used(self, pids: Iterable[int]) -> int:
        """Bytes that go when these processes go. Files of a tmpfs are not in it: that has a size of its own."""
        private = shared = 0
        living = [task for pid in pids if (task := living_task(pid))]
        for _, status in living:
            private += _kilobytes(_PRIVATE, status)
            shared += _kilobytes(_SHARED, status)
        if time.monotonic() >= self._next_scan:
            began = time.thread_time()  # a scan that waits on a crowded machine is no reason to look away
            self._held = _held_bytes(task for task, _ in living)
            cost = time.thread_time() - began
            self._next_scan = time.monotonic() + max(_SCAN_SEC, _SCAN_FACTOR * cost)
        return private + max(shared, self._held)


def _kilobytes(field: re.Pattern[bytes], status: bytes) -> int:
    return sum(int(number) for number in field.findall(status)) * _KIB


def living_task(pid: int) -> tuple[Path, bytes] | None:
    """Where /proc tells of a process, and its status. A first thread that has ended knows nothing of the others."""
    process = Path(f"/proc/{pid}")
    with contextlib.suppress(OSError):
        status = (process / "status").read_bytes()
        if b"VmRSS:" in status:
            return process, status
        for task in (process / "task").iterdir():
            with contextlib.suppress(OSError):
                status = (task / "status").read_bytes()
                if b"VmRSS:" in status:
                    return task, status
    return None


def _held_bytes(tasks: Iterable[Path]) -> int:
    """Shared memory and sockets, each once. What is only mapped counts whole: nothing tells how much was filled."""
    opened: dict[int, int] = {}  # inode → bytes
    mapped: dict[int, int] = {}
    sockets: set[str] = set()
    for task in tasks:
        for link, path in open_files(task):
            if link.startswith(_SOCKET):
                sockets.add(link)
            elif link.startswith(_MEMORY_FILE):
                with contextlib.suppress(OSError):
                    found = path.stat()
                    opened[found.st_ino] = found.st_blocks * 512
        for inode, size in _shared_mappings(task).items():
            mapped[inode] = max(size, mapped.get(inode, 0))
    return sum((mapped | opened).values()) + len(sockets) * _SOCKET_BYTES


def open_files(task: Path) -> list[tuple[str, Path]]:
    """What each descriptor of a process leads to, and the path under which it can be looked at."""
    found = []
    with contextlib.suppress(OSError), os.scandir(task / "fd") as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                path = Path(entry.path)
                found.append((str(path.readlink()), path))
    return found


def _shared_mappings(task: Path) -> dict[int, int]:
    sizes: dict[int, int] = {}
    with contextlib.suppress(OSError):
        for start, end, inode in _SHARED_MAPPING.findall((task / "maps").read_bytes()):
            sizes[int(inode)] = sizes.get(int(inode), 0) + int(end, 16) - int(start, 16)
    return sizes
