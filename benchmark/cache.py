"""What was computed once and is kept by its content: one place for all of it, with a bound.

An entry is a file or a folder whose name is made from everything it depends on, so nothing in here is ever out of date,
and everything may be deleted at any time. The least recently used goes first.
"""

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import UsageError
from benchmark.paths import cache_root

# folder → what lies there
KINDS = {
    "audits": "damaged games as a judge saw them",
    "evidence": "recorded demos",
    "gates": "what launching a project gave",
    "imports": "art as the engine imports it",
    "judgements": "what judges said",
    "projects": "submissions made ready for the engine",
    "verdicts": "what hidden tests said",
}
LIMIT_VARIABLE = "GAMECRAFT_CACHE_GB"
DEFAULT_LIMIT_GB = 20.0  # about 2,500 trials of track craft with video
IN_USE_SEC = 3600.0  # what was used since is left alone: somebody may be reading it
_EVERY_SEC = 86_400.0  # between two looks of its own accord
_STAMP = "trimmed"
_NOT_ENTRIES = (".lock", ".partial")


@dataclass(frozen=True)
class Entry:
    """One thing that is kept."""

    kind: str
    path: Path
    size_bytes: int
    used: float  # seconds since 1970


def place(kind: str, name: str) -> Path:
    """Where an entry is, or will be. Asking for one that is there counts as using it."""
    if kind not in KINDS:
        raise KeyError(f"{kind} is none of {', '.join(KINDS)}")
    return used(cache_root() / kind / name)


def used(path: Path) -> Path:
    """The same entry; if it is there, it was used just now."""
    with contextlib.suppress(OSError):
        os.utime(path)
    return path


def entries() -> list[Entry]:
    """Everything that is kept, least recently used first."""
    found = []
    for kind in KINDS:
        with contextlib.suppress(FileNotFoundError):
            found += [
                Entry(kind, Path(one.path), _size(Path(one.path)), one.stat(follow_symlinks=False).st_mtime)
                for one in os.scandir(cache_root() / kind)
                if not one.name.endswith(_NOT_ENTRIES)
            ]
    return sorted(found, key=lambda entry: entry.used)


def _size(path: Path) -> int:
    """On the disk, as far as it can be read."""
    total = 0
    waiting = [path]
    while waiting:
        one = waiting.pop()
        with contextlib.suppress(OSError):
            total += one.lstat().st_blocks * 512
            if one.is_dir() and not one.is_symlink():
                waiting += [Path(child.path) for child in os.scandir(one)]
    return total


def limit_bytes() -> int:
    """`$GAMECRAFT_CACHE_GB`, or the default. Raises UsageError."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    try:
        limit = float(text) if text else DEFAULT_LIMIT_GB
    except ValueError:
        limit = -1.0
    if not 0 <= limit < 1e6:
        raise UsageError(f"{LIMIT_VARIABLE}: {text!r} is not a number of gigabytes")
    return round(limit * 1e9)


def trim(limit: int, kept: Iterable[Entry] | None = None) -> list[Entry]:
    """Delete the least recently used until the rest fits, and return what went. What is in use stays."""
    every = sorted(entries() if kept is None else kept, key=lambda entry: entry.used)
    total = sum(entry.size_bytes for entry in every)
    gone = []
    for entry in every:
        if total <= limit or time.time() - entry.used < IN_USE_SEC:
            break
        remove(entry)
        total -= entry.size_bytes
        gone.append(entry)
    return gone


def remove(entry: Entry) -> None:
    """Moved aside first: whoever looks for it meanwhile finds it whole or not at all."""
    aside = entry.path.with_name(f"{entry.path.name}.partial")
    with contextlib.suppress(OSError):
        entry.path.rename(aside)
        if aside.is_dir() and not aside.is_symlink():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            aside.unlink(missing_ok=True)


def trim_now_and_then() -> list[Entry]:
    """Once a day, at the end of a run: keep the cache within its bound. Never fails, never waits."""
    stamp = cache_root() / _STAMP
    try:
        with stamp.open("a") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if handle.tell() and time.time() - stamp.stat().st_mtime < _EVERY_SEC:
                return []
            handle.truncate(0)
            handle.write("looked\n")
            handle.flush()
            return trim(limit_bytes())
    except (OSError, UsageError):
        return []
