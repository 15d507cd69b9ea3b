"""Tasks of all tracks: finding packages on disk and knowing enough of them to list and choose.

Listing reads `task.toml` only, so that a thousand trials are collected in a moment. What a track needs
beyond that (rubric, instruction, solution) it loads when the trial runs.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmark.errors import UsageError

TASKS_ROOT = Path(__file__).parents[1] / "tasks"
TASK_FILE = "task.toml"
VARIANTS, VARIANT_FILE = "variants", "variant.toml"
TRACKS = ("craft", "edit", "web", "play")
PASS_TRACKS = ("edit",)  # whose trials pass or fail; those of the others get a score
DIFFICULTIES = ("easy", "medium", "hard")
UNRATED = "unrated"  # of packages that do not say how hard they are
# family → number of tasks in the full benchmark
FAMILIES = {
    "platformer": 19, "strategy": 17, "tycoon": 16, "open-world": 15, "roguelike": 14, "visual-novel": 11,
    "puzzle": 8, "shooter": 7, "simulation": 6, "card-game": 5, "horror": 5, "rhythm": 5, "idle": 4, "racing": 4,
    "sports": 4,
}  # fmt: skip
SKILLS = ("2d-graphics", "gameplay", "3d-graphics", "user-interface")  # what families are to the edit track
EDITORS = ("scene", "script", "contextual")
UNSORTED = "unsorted"
LABELS = ("editor",)  # of a package's metadata, kept with every result
SOLVE_SCRIPT = "solve.sh"  # of a public package: writes the solution to /workspace/game
# What a package for Harbor has and ours have not: one of them marks a package as written elsewhere.
_FOREIGN_FILES = (f"solution/{SOLVE_SCRIPT}", "tests/test.sh", "environment/Dockerfile")
EXAMPLE_FAMILY = "example"  # read by newcomers, counted nowhere
_MAX_DEPTH = 5
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
AGENT_TIMEOUT_SEC = 7200.0
VERIFIER_TIMEOUT_SEC = 1800.0


class TaskError(UsageError):
    """A package that cannot be used, with file and key."""


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


def find_tasks(roots: Iterable[Path] = (TASKS_ROOT,)) -> tuple[Task, ...]:
    """All packages below the given folders, by id. A root may itself be a package."""
    found: dict[str, Task] = {}
    for root in roots:
        if not root.is_dir():
            raise UsageError(f"--tasks: {root} is not a folder", fix="name a folder that holds task packages")
        if (root / "tasks_gt").is_dir():
            from benchmark.edit.imported import find_imported

            for task in find_imported(root):
                _add(task, found)
            continue
        for folder in package_folders(root):
            for task in read_variants(folder):
                _add(task, found)
    return tuple(sorted(found.values(), key=lambda task: task.id))


def _add(task: Task, found: dict[str, Task]) -> None:
    if task.id in found:
        raise TaskError(f"{task.folder} and {found[task.id].folder} are both {task.id}", fix="rename one of them")
    found[task.id] = task


def package_folders(root: Path, depth: int = 0) -> Iterator[Path]:
    """`root` if it is a package, else all packages below it."""
    if (root / TASK_FILE).is_file():
        yield root
    elif depth < _MAX_DEPTH:
        for child in sorted(root.iterdir()):
            if child.is_dir() and not child.name.startswith(".") and not child.is_symlink():
                yield from package_folders(child, depth + 1)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file, or TaskError with its name and line."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise TaskError(f"{path}: there is no such file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskError(f"{path}: {error}") from error


def read_task(folder: Path) -> Task:
    """The listing part of a package. Keys we do not know are left alone: other benchmarks share the format."""
    path = folder / TASK_FILE
    data = read_toml(path)
    metadata = _table(data, "metadata", path)
    track = _choice(metadata.get("track"), _place(folder)[0] or "craft", TRACKS, f"{path}: metadata.track")
    return Task(
        track=track,
        family=_family(metadata, _table(data, "task", path), folder, path),
        slug=_checked_name(folder.name.lower().replace("_", "-"), f"{folder}: the folder's name"),
        difficulty=_choice(metadata.get("difficulty"), UNRATED, DIFFICULTIES, f"{path}: metadata.difficulty"),
        folder=folder,
        agent_timeout_sec=_seconds(data, "agent", AGENT_TIMEOUT_SEC, path),
        verifier_timeout_sec=_seconds(data, "verifier", VERIFIER_TIMEOUT_SEC, path),
        description=str(_table(data, "task", path).get("description", "")),
        labels={
            key: _choice(metadata[key], "", EDITORS, f"{path}: metadata.{key}") for key in LABELS if key in metadata
        },
        has_oracle=_writes_a_project(folder / "solution") if track == "craft" else (folder / "solution").is_dir(),
        foreign=any((folder / name).is_file() for name in _FOREIGN_FILES),
    )


def read_variants(folder: Path) -> tuple[Task, ...]:
    """The task of a package, and its variants, which are tasks of their own."""
    task = read_task(folder)
    variants = []
    for place in sorted((folder / VARIANTS).glob("*/")) if (folder / VARIANTS).is_dir() else ():
        path = place / VARIANT_FILE
        metadata = _table(read_toml(path), "metadata", path)
        name = _checked_name(place.name, f"{place}: the folder's name")
        difficulty = _choice(metadata.get("difficulty"), task.difficulty, DIFFICULTIES, f"{path}: metadata.difficulty")
        slug = f"{task.slug}-{name}"
        variants.append(replace(task, slug=slug, variant=name, variant_of=task.id, difficulty=difficulty))
    return (task, *variants)


def _writes_a_project(solution: Path) -> bool:
    """Whether there is a project, or a script with at least one line that is not a comment."""
    if (solution / "project.godot").is_file():
        return True
    try:
        with (solution / SOLVE_SCRIPT).open(encoding="utf-8", errors="replace") as lines:
            return any(line.strip() and not line.lstrip().startswith("#") for line in lines)
    except OSError:
        return False


def _place(folder: Path) -> tuple[str | None, str | None]:
    """Track and family from `…/<track>/<family>/<slug>`, where the folders are named so."""
    family, track = folder.parent.name, folder.parent.parent.name
    return (track, family) if track in TRACKS else (None, None)


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
    beginnings = ((family, spelling) for family in FAMILIES for spelling in (family, family.replace("-", "")))
    return next((family for family, spelling in beginnings if name.startswith(f"{spelling}-")), UNSORTED)


def _table(data: dict[str, Any], key: str, path: Path) -> dict[str, Any]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise TaskError(f"{path}: {key}: a table is needed, not {table!r}")
    return table


def _choice(value: Any, default: str, allowed: tuple[str, ...], where: str) -> str:
    if value is None:
        return default
    if value not in allowed:
        raise TaskError(f"{where}: {value!r} is not one of {', '.join(allowed)}")
    return str(value)


def _checked_name(name: str, where: str) -> str:
    if not _NAME.fullmatch(name):
        raise TaskError(f"{where}: {name!r} must be lower-case words joined by hyphens")
    return name


def _seconds(data: dict[str, Any], section: str, default: float, path: Path) -> float:
    value = _table(data, section, path).get("timeout_sec", default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 86_400:
        raise TaskError(f"{path}: {section}.timeout_sec: {value!r} is not a number of seconds up to 86400")
    return float(value)
