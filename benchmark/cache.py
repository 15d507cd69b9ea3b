"""What was computed once and is kept by its content: one place for all of it, with a bound.

An entry is a file or a folder whose name is made from everything it depends on, so nothing in here is ever out of date,
and everything may be deleted at any time. The least recently used goes first.

A file is written with `write_json` and read with `recalled`; a folder comes from `made_once`.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from benchmark.errors import UsageError
from benchmark.files import remove_tree
from benchmark.paths import beside, cache_root
from benchmark.runtime.locking import exclusive
from benchmark.tracks import all_tracks

# What is kept whatever the track: folder → what lies there.
_SHARED = {
    "evidence": "recorded demos",
    "gates": "what launching a project gave",
    "imports": "art as the engine imports it",
    "projects": "submissions made ready for the engine",
}
LIMIT_VARIABLE = "GAMECRAFT_CACHE_GB"
DEFAULT_LIMIT_GB = 20.0  # about 2,500 games recorded with video
IN_USE_SEC = 3600.0  # what was used since is left alone: somebody may be reading it
_EVERY_SEC = 86_400.0  # between two looks of its own accord
_STAMP = "trimmed"
_LOCK, _PARTIAL = ".lock", ".partial"
_FORSAKEN_SEC = 86_400.0  # a half-made entry as old as that: whoever made it is gone
_DAMAGED = (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError)
Read = TypeVar("Read")


@dataclass(frozen=True)
class CacheEntry:
    """One thing that is kept."""

    kind: str
    path: Path
    size_bytes: int
    used: float  # seconds since 1970


def kinds() -> dict[str, str]:
    """Folder → what lies there: what all trials share, and what each track keeps."""
    return dict(
        sorted({**_SHARED, **{k: v for track in all_tracks().values() for k, v in track.keeps.items()}}.items())
    )


def key_of(parts: Sequence[Any]) -> str:
    """A name made from everything that an entry depends on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:40]


def place(kind: str, name: str, root: Path | None = None) -> Path:
    """Where an entry is, or will be. Asking for one that is there counts as using it."""
    if kind not in kinds():
        raise KeyError(f"{kind} is none of {', '.join(kinds())}: a track names what it keeps")
    path = (root or cache_root()) / kind / name
    with contextlib.suppress(OSError):
        os.utime(path)
    return path


def recalled(path: Path) -> Any:
    """What is kept in a file of JSON; None where there is nothing that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def made_once(
    folder: Path, make: Callable[[Path], object], read: Callable[[Path], Read], *, fresh: bool = False
) -> tuple[Read, bool]:
    """What is read from a kept folder, and whether it was made now: by one process at a time, whole or not at all.

    What is damaged, or asked for afresh, is made again.
    """

    def there() -> tuple[Read, bool] | None:
        if not fresh:
            with contextlib.suppress(*_DAMAGED):
                return read(folder), False
        return None

    if found := there():
        return found
    with exclusive(beside(folder, _LOCK)):
        if found := there():  # somebody else made it meanwhile
            return found
        partial = _aside(folder)
        partial.mkdir(parents=True)
        try:
            make(partial)
            if folder.exists():
                old = _aside(folder)
                folder.rename(old)
                remove_tree(old)
            partial.rename(folder)
        finally:
            remove_tree(partial)
    return read(folder), True


def _aside(path: Path) -> Path:
    return beside(path, f".{secrets.token_hex(4)}{_PARTIAL}")


def entries() -> list[CacheEntry]:
    """Everything that is kept, least recently used first."""
    found = [
        CacheEntry(kind, Path(one.path), _size(Path(one.path)), one.stat(follow_symlinks=False).st_mtime)
        for kind in kinds()
        for one in _listed(kind)
        if not one.name.endswith((_LOCK, _PARTIAL))
    ]
    return sorted(found, key=lambda entry: entry.used)


def _listed(kind: str) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(cache_root() / kind))
    except FileNotFoundError:
        return []


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


def trim(limit: int, kept: Iterable[CacheEntry] | None = None) -> list[CacheEntry]:
    """Delete the least recently used until the rest fits, and return what went. What is in use stays.

    What somebody began and never finished goes too.
    """
    _sweep()
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


def remove(entry: CacheEntry) -> None:
    """Moved aside first: whoever looks for it meanwhile finds it whole or not at all."""
    aside = _aside(entry.path)
    with contextlib.suppress(OSError):
        entry.path.rename(aside)
        _delete(aside)
        beside(entry.path, _LOCK).unlink(missing_ok=True)


def _sweep() -> None:
    for one in (one for kind in kinds() for one in _listed(kind) if one.name.endswith(_PARTIAL)):
        with contextlib.suppress(OSError):
            if time.time() - one.stat(follow_symlinks=False).st_mtime > _FORSAKEN_SEC:
                _delete(Path(one.path))


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        remove_tree(path)
    else:
        path.unlink(missing_ok=True)


def trim_now_and_then() -> list[CacheEntry]:
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
