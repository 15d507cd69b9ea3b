"""The submission: what an agent left in `game/`, copied out once and never modified afterwards.

It is looked through before anything is copied. If it is too much, nothing is: the copy holds only a note that says so,
and whoever scores it finds the project refused. What cannot be copied of an acceptable one is named in the same note.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from benchmark.files import remove_tree
from benchmark.limits import MAX_BYTES
from benchmark.projects.project import NOTE
from benchmark.projects.walk import Found, Tally, TooMuchError, walk
from benchmark.untrusted import UnreadableFileError, open_regular

_CHUNK = 1 << 16


@dataclass(frozen=True)
class Copied:
    """How much was taken. If it was `refused`, nothing was, and this says why."""

    files: int
    size_bytes: int
    refused: str = ""
    left_out: tuple[str, ...] = ()


def take_submission(game: Path, target: Path) -> Copied:
    """Copy regular files, follow no link, read-only. Nothing in `game` is trusted, not even that it stays as it is.

    Raises OSError only for what is ours: no space to copy to, a disk that does not answer.
    """
    target.mkdir(parents=True)
    try:
        for _ in walk(game, Tally()):
            pass  # whether it is too much, before a byte is copied
        copied = _copy_all(game, target)
    except TooMuchError as error:
        remove_tree(target)
        target.mkdir()
        copied = Copied(0, 0, str(error))
    if copied.refused or copied.left_out:
        note = {"refused": copied.refused, "left_out": copied.left_out}
        (target / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
    return copied


def _copy_all(game: Path, target: Path) -> Copied:
    """With the same limits, and never more bytes than they allow: it may have grown since it was looked through."""
    tally = Tally()
    files = size = 0
    for found in walk(game, tally):
        if found.name == NOTE:  # ours alone
            continue
        try:
            size += _copy(found, target / found.name, MAX_BYTES - size)
            files += 1
        except UnreadableFileError as error:
            tally.leave_out(found.name, str(error))
    return Copied(files, size, left_out=tally.notes)


def _copy(found: Found, target: Path, limit: int) -> int:
    """Returns how long the file is. Holes stay holes: a sparse file takes no more space here than there."""
    copied = 0
    with open_regular(found.base, dir_fd=found.folder) as source:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as copy:
            while chunk := source.read(_CHUNK):
                copied += len(chunk)
                if copied > limit:
                    raise TooMuchError(f"more than {MAX_BYTES >> 20} MiB")
                if chunk.count(0) == len(chunk):
                    copy.seek(len(chunk), os.SEEK_CUR)
                else:
                    copy.write(chunk)
            copy.truncate(copied)
            os.fchmod(copy.fileno(), 0o444)
    return copied
