"""Limits on files, by looking: how many a job has made in memory, how much an agent has put on the disk."""

import os
import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmark.runtime.memory import living_task, open_files
from benchmark.runtime.processes import Ending

MAX_FOLDER_DEPTH = 200  # each level holds a descriptor of ours while it is looked through
_PAUSE_SEC = 2.0
_PAUSE_FACTOR = 20  # five per cent of one core at most, however large the tree
_HURRY = 4  # looked at early once the disk has lost this part of what is still allowed
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class DiskUsage:
    """What folders take up on their disk. `too_deep`: there is more than was counted."""

    size_bytes: int
    files: int
    too_deep: bool = False


@dataclass(frozen=True)
class TmpfsFiles:
    """A file in memory costs the kernel memory that the size of its tmpfs does not count."""

    places: tuple[str, ...]  # as the job sees them
    tmpfs_bytes: int  # which tells them from folders of the host
    most: int

    def __call__(self, pids: set[int]) -> Ending | None:
        for place in self.places:
            for pid in sorted(pids, reverse=True):  # those that started last stand in the sandbox
                try:
                    found = os.statvfs(f"/proc/{pid}/root{place}")
                except OSError:
                    continue
                if found.f_blocks * found.f_frsize == self.tmpfs_bytes:
                    if found.f_files - found.f_ffree > self.most:
                        return "disk"
                    break
        return None


class DiskQuota:
    """An agent's folders together: looked through every few seconds, sooner if the disk fills up."""

    def __init__(self, folders: tuple[Path, ...], size_bytes: int, files: int) -> None:
        self.folders, self.size_bytes, self.files = folders, size_bytes, files
        self._next = self._earliest = 0.0
        self._free = self._left = 0

    def __call__(self, pids: set[int]) -> Ending | None:
        now = time.monotonic()
        free = self._free_bytes()
        if now < self._earliest or (now < self._next and self._free - free < self._left // _HURRY):
            return None
        used = self.usage(pids)
        ended = time.monotonic()
        self._earliest = ended + _PAUSE_FACTOR * (ended - now)
        self._next = max(self._earliest, ended + _PAUSE_SEC)
        self._free, self._left = free, self.size_bytes - used.size_bytes
        return "disk" if used.too_deep or used.size_bytes > self.size_bytes or used.files > self.files else None

    def usage(self, pids: Iterable[int] = ()) -> DiskUsage:
        """All that lies in the folders, and what these processes keep open of what was removed from them."""
        size = files = 0
        for folder in self.folders:
            used = disk_usage(folder, self.files)
            size, files = size + used.size_bytes, files + used.files
            if used.too_deep:
                return DiskUsage(size, files, True)
        return DiskUsage(size + self._removed_but_open(pids), files)

    def _free_bytes(self) -> int:
        found = os.statvfs(self.folders[0])
        return found.f_bfree * found.f_frsize

    def _removed_but_open(self, pids: Iterable[int]) -> int:
        devices = {folder.stat().st_dev for folder in self.folders}
        removed: dict[int, int] = {}
        living = [task for pid in pids if (task := living_task(pid))]
        for place, _ in living:
            for link, path in open_files(place):
                if link.endswith(" (deleted)"):
                    try:
                        found = path.stat()
                    except OSError:
                        continue
                    if found.st_dev in devices and found.st_nlink == 0:
                        removed[found.st_ino] = found.st_blocks * 512
        return sum(removed.values())


def disk_usage(folder: Path, most_files: int) -> DiskUsage:
    """Blocks and files below a folder that somebody else is changing; stops counting beyond `most_files`.

    Goes by descriptors and through no link: a folder may be moved or replaced at any moment.
    """
    size = files = 0
    linked: set[int] = set()
    waiting: list[tuple[int, list[str]]] = []  # open folders from the top down, with those below that are still to come
    try:
        opened: int | None = os.open(folder, _FOLDER_FLAGS)
        while True:
            if opened is not None:
                below: list[str] = []
                waiting.append((opened, below))
                with os.scandir(opened) as entries:
                    for entry in entries:
                        try:
                            found = entry.stat(follow_symlinks=False)
                        except FileNotFoundError:
                            continue
                        files += 1
                        if files > most_files:
                            return DiskUsage(size, files)
                        if stat.S_ISDIR(found.st_mode):
                            below.append(entry.name)
                        elif found.st_nlink > 1:
                            if found.st_ino in linked:
                                continue
                            linked.add(found.st_ino)
                        size += found.st_blocks * 512
            while waiting and not waiting[-1][1]:
                os.close(waiting.pop()[0])
            if not waiting:
                return DiskUsage(size, files)
            if len(waiting) > MAX_FOLDER_DEPTH:
                return DiskUsage(size, files, True)
            opened = _open_below(waiting[-1][0], waiting[-1][1].pop())
    finally:
        for descriptor, _ in waiting:
            os.close(descriptor)


def _open_below(parent: int, name: str) -> int | None:
    """None for a folder that is gone or something else by now; one that forbids looking is made to allow it."""
    try:
        return os.open(name, _FOLDER_FLAGS, dir_fd=parent)
    except PermissionError:
        return _open_forbidden(parent, name)
    except OSError:
        return None


def _open_forbidden(parent: int, name: str) -> int | None:
    try:
        place = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    except OSError:
        return None
    try:
        Path(f"/proc/self/fd/{place}").chmod(0o700)
        return os.open(f"/proc/self/fd/{place}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    finally:
        os.close(place)
