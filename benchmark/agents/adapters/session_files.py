"""Files that a program keeps of its sessions, in a home that its agent could write to as well."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark.untrusted import UnreadableFileError, read_json

MAX_FILES = 500
_MAX_DEPTH = 8
_MAX_ENTRIES = 20_000
_MAX_JSON_BYTES = 256 << 20


def session_files(home: Path, folder: str, ending: str = ".jsonl") -> list[Path]:
    """Those below a folder of the home, by name. No link is followed on the way: behind it lie files of others."""
    place = home
    for part in folder.split("/"):
        place /= part
        if place.is_symlink():
            return []
    found = sorted(path for path in _plain_files(place) if path.as_posix().endswith(ending))
    return found[:MAX_FILES]


def json_object(path: Path) -> dict[str, Any]:
    """The object that a JSON file holds; an empty one if it holds none, or cannot be read."""
    try:
        found = read_json(path, _MAX_JSON_BYTES, encodable=False)
    except (UnreadableFileError, OSError):
        return {}
    return found if isinstance(found, dict) else {}


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
