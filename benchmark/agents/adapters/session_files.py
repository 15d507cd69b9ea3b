"""Files that a program keeps of its sessions, in a home that its agent could write to as well."""

import os
from collections.abc import Iterator
from pathlib import Path

MAX_FILES = 500
_MAX_DEPTH = 8
_MAX_ENTRIES = 20_000


def session_files(home: Path, folder: str, ending: str = ".jsonl") -> list[Path]:
    """Those below a folder of the home, by name. No link is followed on the way: behind it lie files of others."""
    place = home
    for part in folder.split("/"):
        place /= part
        if place.is_symlink():
            return []
    found = sorted(path for path in _plain_files(place) if path.name.endswith(ending))
    return found[:MAX_FILES]


def _plain_files(folder: Path) -> Iterator[Path]:
    waiting, seen = [(folder, 0)], 0
    while waiting:
        place, depth = waiting.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if (seen := seen + 1) > _MAX_ENTRIES:
                        return
                    if entry.is_file(follow_symlinks=False):
                        yield Path(entry.path)
                    elif entry.is_dir(follow_symlinks=False) and depth < _MAX_DEPTH:
                        waiting.append((Path(entry.path), depth + 1))
        except OSError:
            continue
