"""Walking a folder that somebody else wrote, and may still be writing: no link is followed, nothing is endless.

Every folder is opened below the one that holds it, so that no link put in its place meanwhile leads elsewhere, and no
path is too long for the system. What is too much raises TooMuchError before anything is read.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmark.limits import MAX_BYTES, MAX_DEPTH, MAX_FILES, MAX_FOLDERS, MAX_NOTED, MAX_PATH_BYTES
from benchmark.trials import one_line
from benchmark.untrusted import name_problem, of_the_file

# Folders of version control, and what stands where the engine keeps its caches, whose list of extensions loads native
# code. Never taken along, never counted.
_ENGINE_CACHE = ".godot"
_NEVER_TAKEN = {_ENGINE_CACHE, ".git", "__MACOSX"}
_BLOCK = 512  # bytes, as stat counts them
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class TooMuchError(Exception):
    """More than a project may have, as the end of `the project has …`."""


@dataclass(frozen=True)
class Found:
    """A regular file: its path in the project, and how to open it while the walk stands at it."""

    name: str
    size: int
    folder: int  # descriptor of the folder that it lies in

    @property
    def base(self) -> str:
        return self.name.rpartition("/")[2]


@dataclass
class Tally:
    """What a walk has come across."""

    files: int = 0  # and links, pipes, whatever is no folder
    folders: int = 0
    size_bytes: int = 0
    left_out: list[str] = field(default_factory=list)
    _more: int = 0

    def leave_out(self, name: str, why: str) -> None:
        if len(self.left_out) < MAX_NOTED:
            self.left_out.append(one_line(f"{name}: {why}", 300))
        else:
            self._more += 1

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out and why, in order; of very many the first ones."""
        return (*sorted(self.left_out), *([f"{self._more} more"] if self._more else []))


def walk(root: Path, tally: Tally) -> Iterator[Found]:
    """All files that can be taken, by folder and name. Raises TooMuchError beyond the limits."""
    try:
        descriptor = os.open(root, _FOLDER)
    except OSError as error:
        if not of_the_file(error):
            raise
        if os.path.lexists(root):
            tally.leave_out(".", "not a folder" if root.is_symlink() or not root.is_dir() else str(error.strerror))
        return
    try:
        yield from _below(descriptor, "", tally)
    finally:
        os.close(descriptor)


def _below(folder: int, place: str, tally: Tally) -> Iterator[Found]:
    for base in _names(folder):
        name = f"{place}{base}"
        try:
            found = os.stat(base, dir_fd=folder, follow_symlinks=False)
            if base == _ENGINE_CACHE or (base in _NEVER_TAKEN and stat.S_ISDIR(found.st_mode)):
                continue
            inner = _enter(base, name, folder, tally) if stat.S_ISDIR(found.st_mode) else None
        except OSError as error:
            if not of_the_file(error):
                raise
            tally.leave_out(name, str(error.strerror))
            continue
        if inner is not None:
            try:
                yield from _below(inner, f"{name}/", tally)
            finally:
                os.close(inner)
        elif not stat.S_ISDIR(found.st_mode) and _is_taken(base, name, found, tally):
            yield Found(name, found.st_size, folder)


def _names(folder: int) -> list[str]:
    """Sorted. Stops listing where there is too much already."""
    names = []
    with os.scandir(folder) as entries:
        for entry in entries:
            names.append(entry.name)
            if len(names) > MAX_FILES + MAX_FOLDERS:
                raise TooMuchError(f"more than {MAX_FILES} files")
    return sorted(names)


def _enter(base: str, name: str, folder: int, tally: Tally) -> int | None:
    """A descriptor of the folder; None for one that is left out."""
    tally.folders += 1
    if tally.folders > MAX_FOLDERS:
        raise TooMuchError(f"more than {MAX_FOLDERS} folders")
    problem = _odd(base, name)
    if name.count("/") >= MAX_DEPTH:
        problem = f"nested deeper than {MAX_DEPTH} folders"
    if problem:
        tally.leave_out(name, problem)
        return None
    return os.open(base, _FOLDER, dir_fd=folder)


def _is_taken(base: str, name: str, found: os.stat_result, tally: Tally) -> bool:
    tally.files += 1
    if tally.files > MAX_FILES:
        raise TooMuchError(f"more than {MAX_FILES} files")
    problem = _odd(base, name)
    if stat.S_ISLNK(found.st_mode):
        problem = "a symbolic link"
    elif not stat.S_ISREG(found.st_mode):
        problem = "not a regular file"
    if problem:
        tally.leave_out(name, problem)
        return False
    tally.size_bytes += max(found.st_size, found.st_blocks * _BLOCK)
    if tally.size_bytes > MAX_BYTES:
        raise TooMuchError(f"more than {MAX_BYTES >> 20} MiB")
    return True


def _odd(base: str, name: str) -> str:
    if problem := name_problem(base):
        return f"a name the engine cannot use: it {problem}"
    return f"a path of more than {MAX_PATH_BYTES} bytes" if len(name.encode()) > MAX_PATH_BYTES else ""
