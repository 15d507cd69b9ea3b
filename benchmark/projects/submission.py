"""The submission: what an agent left in `game/`, copied out once and never modified afterwards."""

import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from benchmark.projects.project import MAX_BYTES, MAX_DEPTH, MAX_FILES

_LEFT_BEHIND = {".godot", ".git", "__MACOSX"}


@dataclass(frozen=True)
class Copied:
    """How much was taken. `truncated` if there was more than a project may have: the gate then says so."""

    files: int
    size_bytes: int
    truncated: bool


def take_submission(game: Path, target: Path) -> Copied:
    """Copy regular files, follow no link, read-only. Nothing in `game` is trusted, not even its size."""
    target.mkdir(parents=True)
    files = size = 0
    # An agent may have put a link in place of the folder, to have us copy what it cannot see itself.
    pending = [Path()] if game.is_dir() and not game.is_symlink() else []
    while pending:
        relative = pending.pop()
        try:
            children = sorted(os.scandir(game / relative), key=lambda entry: entry.name)
        except OSError:
            continue  # no permission to look: the project does without
        for child in children:
            path = relative / child.name
            information = child.stat(follow_symlinks=False)
            if stat.S_ISDIR(information.st_mode):
                if child.name not in _LEFT_BEHIND and len(path.parts) <= MAX_DEPTH:
                    (target / path).mkdir(exist_ok=True)
                    pending.append(path)
            elif stat.S_ISREG(information.st_mode):
                files, size = files + 1, size + information.st_size
                _copy(game / path, target / path)
                if files > MAX_FILES or size > MAX_BYTES:  # one too many, so that the gate sees it
                    return Copied(files, size, True)
    return Copied(files, size, False)


def _copy(source: Path, target: Path) -> None:
    shutil.copyfile(source, target, follow_symlinks=False)
    target.chmod(0o444)
