"""Tasks of all tracks: finding packages on disk and knowing enough of them to list and choose.

Listing reads `task.toml` only, so that a thousand trials are collected in a moment. What a track needs
beyond that (rubric, instruction, solution) it loads when the trial runs.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmark.bundled import bundled
from benchmark.errors import TaskError as TaskError
from benchmark.errors import UsageError
from benchmark.limits import MAX_TOML_BYTES
from benchmark.package_paths import check_tree, report, shown_path
from benchmark.tracks import Track, all_tracks, track_names
from benchmark.untrusted import UnreadableFileError, of_the_file, shown
from benchmark.untrusted import read_toml as _read_toml

TASKS_ROOT = bundled("tasks")
TASK_FILE = "task.toml"
VARIANTS, VARIANT_FILE = "variants", "variant.toml"
DIFFICULTIES = ("easy", "medium", "hard")
UNRATED = "unrated"  # of packages that do not say how hard they are
UNSORTED = "unsorted"
SOLVE_SCRIPT = "solve.sh"  # of a public package: writes the solution to /workspace/game
# What a package for Harbor has and ours have not: one of them marks a package as written elsewhere.
_FOREIGN_FILES = (f"solution/{SOLVE_SCRIPT}", "tests/test.sh", "environment/Dockerfile")
EXAMPLE_FAMILY = "example"  # read by newcomers, counted nowhere
_MAX_DEPTH = 5
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
AGENT_TIMEOUT_SEC = 7200.0
VERIFIER_TIMEOUT_SEC = 1800.0


@dataclass(frozen=True)
class Task:
    """A package. `folder` holds a public part that agents see and a hidden part that only verifiers see."""

    track: str
    family: str
    slug: str
    difficulty: str
    folder: Path
    agent_timeout_sec: float
    verifier_timeout_sec: float
    description: str = ""
    variant: str = ""  # its folder below variants/; the project stays, what is asked changes
    variant_of: str = ""  # the id of the task that it varies
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)  # what else results are grouped by
    has_oracle: bool = True  # whether a solution comes with it
    foreign: bool = False  # written for another harness: taken as it is

    @property
    def is_template(self) -> bool:
        """A public package that authors copy: it asks for nothing."""
        return self.foreign and self.family == EXAMPLE_FAMILY

    @property
    def id(self) -> str:
        return f"{self.track}/{self.family}/{self.slug}"


@dataclass(frozen=True)
class Survey:
    """The tasks that can be listed, by id, and what is wrong with each package that cannot be used."""

    tasks: tuple[Task, ...]
    broken: tuple[TaskError, ...] = ()


def find_tasks(
    roots: Iterable[Path] = (TASKS_ROOT,), on_broken: Callable[[TaskError], None] | None = None
) -> tuple[Task, ...]:
    """All packages below the given folders, by id. `on_broken` hears of those that cannot be used; without it, the
    first of them is raised."""
    found = survey_tasks(roots)
    for error in found.broken:
        if on_broken is None:
            raise error
        on_broken(error)
    return found.tasks


def survey_tasks(roots: Iterable[Path] = (TASKS_ROOT,)) -> Survey:
    """The same: a broken package holds up no other. A root may itself be a package."""
    found: dict[str, Task] = {}
    broken: list[TaskError] = []
    for root in roots:
        if not root.is_dir():
            raise UsageError(f"--tasks: {root} is not a folder", fix="name a folder that holds task packages")
        if (foreign := _foreign(root, broken)) is not None:
            for task in foreign:
                _add(task, found, broken)
            continue
        for folder in package_folders(root, broken=broken):
            try:
                tasks = read_tasks(folder)
            except TaskError as error:
                broken.append(error)
                continue
            for task in tasks:
                _add(task, found, broken)
    return Survey(tuple(sorted(found.values(), key=lambda task: task.id)), tuple(broken))


def _foreign(root: Path, broken: list[TaskError]) -> tuple[Task, ...] | None:
    """The tasks of a folder that a track knows as another benchmark's."""
    for track in all_tracks().values():
        if (found := track.packages.foreign(root, broken)) is not None:
            return found
    return None


def _add(task: Task, found: dict[str, Task], broken: list[TaskError]) -> None:
    first = found.setdefault(task.id, task)
    if first is not task:
        fix = "rename one of them; until then the second is left out"
        broken.append(TaskError(f"{first.folder} and {task.folder} are both {task.id}", fix=fix))


def package_folders(root: Path, depth: int = 0, broken: list[TaskError] | None = None) -> Iterator[Path]:
    """`root` if it is a package, else all packages below it. Whatever is called task.toml, or as a track marks its own
    packages, makes a package of a folder.

    Folders that cannot be looked into, and links to packages, are added to `broken`, or raised without it.
    """
    try:
        if _is_package(root):
            yield root
            return
        children = sorted(root.iterdir()) if depth < _MAX_DEPTH else []
    except OSError as error:
        if not of_the_file(error):
            raise
        report(TaskError(f"{shown_path(root)}: cannot be read: {error.strerror}"), broken)
        return
    for child in children:
        if child.name.startswith(".") or not _is_folder(child):
            continue
        if not child.is_symlink():
            yield from package_folders(child, depth + 1, broken)
        elif _is_package(child):
            fix = "put the package itself there, or name its own place"
            report(TaskError(f"{shown_path(child)}: is a symbolic link; a package is a folder", fix=fix), broken)


def _is_package(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in (TASK_FILE, *own_markers()))


def own_markers() -> dict[str, Track]:
    """Files that mark packages of tracks which do without task.toml."""
    return {track.packages.marker: track for track in all_tracks().values() if track.packages.marker}


def marked(folder: Path) -> Track | None:
    """The track whose own file marks this package."""
    return next((track for name, track in own_markers().items() if os.path.lexists(folder / name)), None)


def read_tasks(folder: Path) -> tuple[Task, ...]:
    """All tasks of a package: one and its variants, or whatever its track finds in it. Raises TaskError."""
    track = marked(folder)
    if track is None or track.packages.read is None:
        return read_variants(folder)
    check_tree(folder)
    return track.packages.read(folder)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a link that leads where we may not look, or nowhere in the end
        return False


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file of a package, or TaskError with its name and line."""
    try:
        return _read_toml(path, MAX_TOML_BYTES)
    except UnreadableFileError as error:
        raise TaskError(f"{path}: {error}") from error


def read_task(folder: Path) -> Task:
    """The listing part of a package. Keys we do not know are left alone: other benchmarks share the format."""
    check_tree(folder)
    path = folder / TASK_FILE
    data = read_toml(path)
    metadata = table_of(data, "metadata", path)
    track = _track(metadata, folder, path)
    return Task(
        track=track.name,
        family=_family(metadata, table_of(data, "task", path), folder, path),
        slug=_checked_name(folder.name.lower().replace("_", "-"), f"{folder}: the folder's name"),
        difficulty=_choice(metadata.get("difficulty"), UNRATED, DIFFICULTIES, f"{path}: metadata.difficulty"),
        folder=folder,
        agent_timeout_sec=_seconds(data, "agent", AGENT_TIMEOUT_SEC, path),
        verifier_timeout_sec=_seconds(data, "verifier", VERIFIER_TIMEOUT_SEC, path),
        description=str(table_of(data, "task", path).get("description", "")),
        labels={
            key: _choice(metadata[key], "", allowed, f"{path}: metadata.{key}")
            for key, allowed in track.labels.items()
            if key in metadata
        },
        has_oracle=track.packages.has_solution(folder),
        foreign=any((folder / name).is_file() for name in _FOREIGN_FILES),
    )


def read_variants(folder: Path) -> tuple[Task, ...]:
    """The task of a package, and its variants, which are tasks of their own."""
    task = read_task(folder)
    variants = []
    for place in sorted((folder / VARIANTS).glob("*/")) if (folder / VARIANTS).is_dir() else ():
        path = place / VARIANT_FILE
        metadata = table_of(read_toml(path), "metadata", path)
        name = _checked_name(place.name, f"{place}: the folder's name")
        difficulty = _choice(metadata.get("difficulty"), task.difficulty, DIFFICULTIES, f"{path}: metadata.difficulty")
        slug = f"{task.slug}-{name}"
        variants.append(replace(task, slug=slug, variant=name, variant_of=task.id, difficulty=difficulty))
    return (task, *variants)


def _place(folder: Path) -> tuple[str | None, str | None]:
    """Track and family from `…/<track>/<family>/<slug>`, where the folders are named so."""
    family, track = folder.parent.name, folder.parent.parent.name
    return (track, family) if track in all_tracks() else (None, None)


def _track(metadata: dict[str, Any], folder: Path, path: Path) -> Track:
    """Named, or known from the folders above, or the one that takes packages that do not say."""
    named = _choice(metadata.get("track"), _place(folder)[0] or "", track_names(), f"{path}: metadata.track")
    if named:
        return all_tracks()[named]
    for track in all_tracks().values():
        if track.packages.adopts(folder):
            return track
    raise TaskError(f"{path}: metadata.track: no track is named", fix=f"one of {', '.join(track_names())}")


def _family(metadata: dict[str, Any], about: dict[str, Any], folder: Path, path: Path) -> str:
    """Named, or known from the folder above, or the beginning of the task's name (`strategy-skirmish`).

    Public packages write `cardgame-…`, `openworld-…` and `visualnovel-…`, and one is called `example`.
    """
    named = metadata.get("family") or metadata.get("category") or _place(folder)[1]
    if named is not None:
        return _checked_name(str(named).lower().replace("_", "-").replace(" ", "-"), f"{path}: metadata.family")
    name = str(about.get("name", folder.name)).rpartition("/")[2].lower()
    if EXAMPLE_FAMILY in (name, folder.name):
        return EXAMPLE_FAMILY
    families = (family for track in all_tracks().values() for family in track.families)
    beginnings = ((family, spelling) for family in families for spelling in (family, family.replace("-", "")))
    return next((family for family, spelling in beginnings if name.startswith(f"{spelling}-")), UNSORTED)


@contextmanager
def checking(path: Path) -> Iterator[None]:
    """What `Fields` finds wrong is an error of the package, with the file's name before it."""
    try:
        yield
    except ValueError as error:
        raise TaskError(f"{path}: {error}") from error


def table_of(data: Mapping[str, Any], key: str, path: Path) -> dict[str, Any]:
    """A table in a file of a package; an empty one where there is none."""
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise TaskError(f"{path}: {key}: a table is needed, not {shown(table)}")
    return table


def _choice(value: Any, default: str, allowed: tuple[str, ...], where: str) -> str:
    if value is None:
        return default
    if value not in allowed:
        raise TaskError(f"{where}: {shown(value)} is not one of {', '.join(allowed)}")
    return str(value)


def _checked_name(name: str, where: str) -> str:
    if not _NAME.fullmatch(name):
        raise TaskError(f"{where}: {shown(name)} must be lower-case words joined by hyphens")
    return name


def _seconds(data: dict[str, Any], section: str, default: float, path: Path) -> float:
    value = table_of(data, section, path).get("timeout_sec", default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 86_400:
        raise TaskError(f"{path}: {section}.timeout_sec: {shown(value)} is not a number of seconds up to 86400")
    return float(value)
