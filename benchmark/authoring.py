"""Rules for task packages: what is common to all tracks, and which track's rules a package is held to."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark.tasks import TaskError, read_task

_BINARY = {".png", ".jpg", ".jpeg", ".webp", ".ttf", ".otf", ".woff", ".woff2", ".ogg", ".wav", ".mp3", ".mp4", ".res"}


@dataclass(frozen=True)
class Problem:
    """One broken rule: `tests/rubric.json: requirements[3].agg: …`."""

    file: str
    where: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.where, self.message) if part)


def check_package(folder: Path) -> tuple[Problem, ...]:
    """All broken rules of a package of any track."""
    try:
        track = read_task(folder).track
    except TaskError:
        track = "craft"  # its rules say what is wrong with task.toml
    problems: tuple[Problem, ...] = importlib.import_module(f"benchmark.{track}.authoring").check_package(folder)
    return problems


def binaries(folder: Path) -> Iterator[Problem]:
    """Files that do not belong into a package."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in _BINARY or path.name == ".godot":
            name = path.relative_to(folder).as_posix()
            yield Problem(name, "", "no binary or generated file belongs into a package; name art in art.toml")
