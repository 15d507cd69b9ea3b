"""Rules for task packages: what is common to all tracks, and which track's rules a package is held to."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark.package_paths import tree_problems
from benchmark.tasks import TASK_FILE, TaskError, marked, read_task
from benchmark.tracks import all_tracks, track_of

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
    strange = tuple(Problem("", "", problem.replace(f"{folder}/", "", 1)) for problem in tree_problems(folder))
    if strange:  # nothing of it is read
        return strange
    if track := marked(folder):
        return track.packages.lint(folder)
    try:
        track = track_of(read_task(folder).track)
    except TaskError as error:
        adopting = [one for one in all_tracks().values() if one.packages.adopts(folder)]
        if not adopting:
            return (Problem(TASK_FILE, "", error.message),)
        track = adopting[0]  # its rules say what is wrong with task.toml
    return track.packages.lint(folder)


def binaries(folder: Path) -> Iterator[Problem]:
    """Files that do not belong into a package."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in _BINARY or path.name == ".godot":
            name = path.relative_to(folder).as_posix()
            yield Problem(name, "", "no binary or generated file belongs into a package; name art in art.toml")
