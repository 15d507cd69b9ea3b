"""A package of the edit track: a project to start from, what is asked, the reference solution, the hidden test.

task.toml  instruction.md          the instruction may hold {{parameters}}
start/                             the project; its art is named in art.toml
solution/                          only the files that differ
tests/test.gd                      hidden, written with the kit
tests/wrong.toml  tests/wrong/*/   attempts that must fail, each an overlay over the reference
tests/right.toml  tests/right/*/   other right solutions, which must pass too, laid over the reference in the same way
variants/<name>/                   variant.toml with other parameters, its own solution/ where it differs
"""

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol

from benchmark.checked import Fields
from benchmark.edit.hidden import HiddenTest, KitTest
from benchmark.edit.hidden_run import HiddenRun
from benchmark.edit.verdict import DEFAULT_SEC, Mode
from benchmark.limits import MAX_TEXT_BYTES
from benchmark.package_paths import inside
from benchmark.projects.solutions import lay_out_oracle
from benchmark.tasks import TASK_FILE, VARIANT_FILE, VARIANTS, Task, TaskError, checking, read_toml, table_of
from benchmark.untrusted import UnreadableFileError, read_utf8, shown
from benchmark.versions import text_digest, tree_digest

TEST_FILE = "tests/test.gd"
WRONG_FILE, WRONG = "tests/wrong.toml", "tests/wrong"
RIGHT_FILE, RIGHT = "tests/right.toml", "tests/right"
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True)
class WrongAttempt:
    """A plausible submission that must not pass, and the checks that have to notice."""

    name: str
    about: str
    fails: tuple[str, ...]
    overlay: Path
    removes: tuple[str, ...]
    base: Literal["start", "reference"]


@dataclass(frozen=True)
class RightSolution:
    """Another way to do what is asked: a test that fails it asks for the ways of the reference."""

    name: str
    about: str
    overlay: Path
    removes: tuple[str, ...]
    in_variants: bool  # its files carry no parameter, so that it is right for every variant


@dataclass(frozen=True)
class EditPackage:
    """Everything about one task, or one variant of it."""

    instruction: str
    test: HiddenTest
    mode: Mode
    limit_sec: float
    start: "Project"
    reference: "Project | None"
    wrong: tuple[WrongAttempt, ...] = ()
    right: tuple[RightSolution, ...] = ()
    explore: bool = False  # nobody says in which mode its test works: the reference tells

    @property
    def hidden_run(self) -> HiddenRun:
        return HiddenRun(self.test, self.mode, self.limit_sec)

    def lay_out(self, attempt: WrongAttempt | RightSolution, target: Path) -> None:
        base = self.start if isinstance(attempt, WrongAttempt) and attempt.base == "start" else self.reference
        assert isinstance(base, Layers)
        replace(base, overlays=(*base.overlays, attempt.overlay), removes=(*base.removes, *attempt.removes)).lay_out(
            target
        )


class Project(Protocol):
    """Something that can be laid out as a project, into a folder that does not exist yet."""

    def lay_out(self, target: Path) -> None: ...

    def digest(self) -> str:
        """Changes with what would be laid out. Cheap: reads, writes nothing."""
        ...


@dataclass(frozen=True)
class Layers:
    """A project and what is laid over it."""

    project: Path
    overlays: tuple[Path, ...] = ()
    removes: tuple[str, ...] = ()

    def lay_out(self, target: Path) -> None:
        """Into a folder that does not exist yet."""
        lay_out_oracle(self.project, target)
        for overlay in self.overlays:
            if overlay.is_dir():
                shutil.copytree(overlay, target, dirs_exist_ok=True)
        for name in self.removes:
            unwanted = inside(target, name, f"{self.project}: removes")
            if unwanted.is_dir():
                raise TaskError(f"{self.project}: removes: {name!r} is a folder", fix="name each file in it")
            unwanted.unlink(missing_ok=True)

    def digest(self) -> str:
        return text_digest(f"{tree_digest(self.project, *self.overlays)} {self.removes}")


def read_package(task: Task) -> EditPackage:
    """The package of a task in our own format. Raises TaskError with file and key."""
    folder = task.folder
    path = folder / TASK_FILE
    data = read_toml(path)
    parameters = _parameters(data, path)
    solution = Layers(folder / "start", (folder / "solution",), _removed(data, path))
    text = _read(folder / "instruction.md")
    if task.variant:
        place = folder / VARIANTS / task.variant
        changed = read_toml(place / VARIANT_FILE)
        parameters = {**parameters, **_parameters(changed, place / VARIANT_FILE)}
        removes = (*solution.removes, *_removed(changed, place / VARIANT_FILE))
        solution = replace(solution, overlays=(*solution.overlays, place / "solution"), removes=removes)
        if (place / "instruction.md").exists():
            text = _read(place / "instruction.md")
    display = table_of(data, "verifier", path).get("display", False)
    if not isinstance(display, bool):
        raise TaskError(f"{path}: verifier.display: {shown(display)} is not true or false")
    return EditPackage(
        instruction=_filled(text, parameters, folder / "instruction.md"),
        test=KitTest(_read(folder / TEST_FILE), parameters),
        mode=Mode(display=display),
        limit_sec=min(task.verifier_timeout_sec, DEFAULT_SEC * 2),
        start=Layers(folder / "start"),
        reference=solution,
        wrong=_wrong(folder) if not task.variant else (),
        right=tuple(one for one in _right(folder) if one.in_variants or not task.variant),
    )


def _filled(text: str, parameters: Mapping[str, Any], path: Path) -> str:
    """The instruction with its parameters. One that is not there is an error, not an empty place."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in parameters:
            raise TaskError(f"{path}: {match[0]} is not among [parameters]: {', '.join(parameters) or 'none'}")
        return str(parameters[match[1]])

    return _PLACEHOLDER.sub(value, text).strip()


def _wrong(folder: Path) -> tuple[WrongAttempt, ...]:
    path = folder / WRONG_FILE
    attempts = []
    for name, entry in _entries(path):
        with checking(path):
            attempt = WrongAttempt(
                name=name, about=entry.words("about"), fails=entry.text_list("fails"),
                overlay=_overlay(folder / WRONG, name, path), removes=_names(entry, "removes", path),
                base=entry.choice("base", ("start", "reference")) if entry.has("base") else "reference",
            )  # fmt: skip
        if not attempt.fails:
            raise TaskError(f"{path}: {name}.fails: name at least one check that must notice")
        if not attempt.overlay.is_dir() and not attempt.removes:
            raise TaskError(f"{path}: {name}: {attempt.overlay} is not there, so it changes nothing")
        attempts.append(attempt)
    return tuple(attempts)


def _right(folder: Path) -> tuple[RightSolution, ...]:
    path = folder / RIGHT_FILE
    solutions = []
    for name, entry in _entries(path):
        overlay = _overlay(folder / RIGHT, name, path)
        if not overlay.is_dir():
            raise TaskError(f"{path}: {name}: {overlay} is not there, so it changes nothing")
        with checking(path):
            solution = RightSolution(
                name=name, about=entry.words("about"), overlay=overlay, removes=_names(entry, "removes", path),
                in_variants=entry.flag("variants", False),
            )  # fmt: skip
        solutions.append(solution)
    return tuple(solutions)


def _entries(path: Path) -> list[tuple[str, Fields]]:
    """A table for each; none where the file is not there."""
    if not path.exists():
        return []
    with checking(path):
        return [(name, Fields.of(entry, f"{name}.")) for name, entry in read_toml(path).items()]


def _overlay(folder: Path, name: str, path: Path) -> Path:
    """The folder of an attempt; its name is one folder's name."""
    if "/" in name:
        raise TaskError(f"{path}: {shown(name)}: the name of a folder in {folder.name}/ is needed, not a path")
    return inside(folder, name, str(path))


def _parameters(data: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Numbers, texts, lists and tables: what a test can be told."""
    parameters = table_of(data, "parameters", path)
    try:
        json.dumps(parameters, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TaskError(f"{path}: parameters: {error}") from error
    return parameters


def _removed(data: Mapping[str, Any], path: Path) -> tuple[str, ...]:
    """Files of the start that the solution does without."""
    with checking(path):
        return _names(Fields(table_of(data, "solution", path), "solution."), "removes", path)


def _names(fields: Fields, key: str, path: Path) -> tuple[str, ...]:
    """Paths of files, below the folder that the table is in."""
    names = fields.text_list(key)
    for name in names:
        inside(path.parent, name, f"{path}: {fields.place(key)}")
    return names


def _read(path: Path) -> str:
    try:
        return read_utf8(path, MAX_TEXT_BYTES)
    except UnreadableFileError as error:
        raise TaskError(f"{path}: {error}") from error
