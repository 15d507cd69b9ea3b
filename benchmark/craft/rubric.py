"""The hidden rubric of a craft task: items in four categories, how each is combined over demos, the formula."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmark.expressions import Expression, ExpressionError, parse_formula
from benchmark.limits import MAX_TEXT_BYTES
from benchmark.tasks import TaskError
from benchmark.untrusted import UnreadableFileError, read_json, shown

RUBRIC_FILE = "tests/rubric.json"
BUILD = "BUILD"
MAX_ITEMS = 1000  # a formula holds fewer; of the 141 public rubrics none has more than 21
MAX_DEMOS = 10
MAX_DEMO_SECONDS = 20.0
# letter of an item's id → (category, its weight in the score)
CATEGORIES = {
    "M": ("Core Mechanics", 0.15),
    "D": ("Content Depth", 0.35),
    "V": ("Functional Visuals", 0.15),
    "A": ("Art & Presentation", 0.35),
}
CATEGORY_NAMES = {letter: name for letter, (name, _) in CATEGORIES.items()}
Aggregation = Literal["max", "mean"]


@dataclass(frozen=True)
class Requirement:
    """One item: what is looked for, and how its scores over the demos become one."""

    id: str
    agg: Aggregation
    description: str

    @property
    def category(self) -> str:
        """The letter of its category."""
        return self.id[0]


@dataclass(frozen=True)
class Rubric:
    """`digest` changes with anything that can change a score."""

    requirements: tuple[Requirement, ...]
    formula: Expression
    max_demos: int
    max_demo_seconds: float
    digest: str
    build_command: str = ""  # as written; our own gate is asked instead

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(item.id for item in self.requirements)


class RubricError(TaskError):
    """A rubric that cannot be scored with: file, JSON path, value, what is allowed."""


def read_rubric(folder: Path) -> Rubric:
    """The rubric of a package. Authoring rules beyond what scoring needs are the linter's business."""
    return read_rubric_file(folder / RUBRIC_FILE)


def read_rubric_file(path: Path) -> Rubric:
    """A rubric, wherever it lies. Keys that scoring does not need are passed over."""
    try:
        data = read_json(path, MAX_TEXT_BYTES)
    except UnreadableFileError as error:
        raise RubricError(f"{path}: {error}") from error
    return _rubric(data, str(path))


def _rubric(data: Any, where: str) -> Rubric:
    if not isinstance(data, dict):
        raise RubricError(f"{where}: an object is needed")
    items = data.get("requirements")
    if not isinstance(items, list) or not items:
        raise RubricError(f"{where}: requirements: a list of at least one item is needed")
    if len(items) > MAX_ITEMS:
        raise RubricError(f"{where}: requirements: {len(items)} items; at most {MAX_ITEMS} are allowed")
    requirements = tuple(_requirement(item, f"{where}: requirements[{index}]") for index, item in enumerate(items))
    ids: set[str] = set()
    for index, item in enumerate(requirements):
        if item.id in ids:
            raise RubricError(f"{where}: requirements[{index}].id: {shown(item.id)} is there twice")
        ids.add(item.id)
    try:
        formula = parse_formula(_text(data.get("score_formula"), f"{where}: score_formula"))
    except ExpressionError as error:
        raise RubricError(f"{where}: score_formula: {error.message}") from error
    check = data.get("build_check")
    check = check if isinstance(check, dict) else {}
    if (called := check.get("id", BUILD)) != BUILD:
        raise RubricError(f"{where}: build_check.id: {shown(called)}; formulas know the build check as {BUILD} only")
    if unknown := sorted(formula.names - {BUILD, *ids}):
        known = f"known are {BUILD}, {', '.join(item.id for item in requirements)}"
        raise RubricError(f"{where}: score_formula: {', '.join(unknown)}: no such item; {known}")
    try:
        canonical = json.dumps(data, sort_keys=True, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise RubricError(f"{where}: half of a surrogate pair in a text: {error.object[error.start]!r}") from error
    return Rubric(
        requirements=requirements,
        formula=formula,
        max_demos=int(_number(data.get("max_demos", MAX_DEMOS), 1, MAX_DEMOS, f"{where}: max_demos")),
        max_demo_seconds=_number(
            data.get("max_demo_seconds", MAX_DEMO_SECONDS), 1, MAX_DEMO_SECONDS, f"{where}: max_demo_seconds"
        ),
        digest=hashlib.sha256(canonical).hexdigest(),
        build_command=str(check.get("cmd", "")),
    )


def _requirement(item: Any, where: str) -> Requirement:
    if not isinstance(item, dict):
        raise RubricError(f"{where}: an object is needed")
    name = _text(item.get("id"), f"{where}.id")
    if not (name[0] in CATEGORIES and name[1:].isdigit() and name.isascii()):
        raise RubricError(f"{where}.id: {shown(name)} must be M, D, V or A and a number")
    agg = str(item.get("agg", "max")).lower()  # as the public verifier reads it
    if agg not in ("max", "mean"):
        raise RubricError(f"{where}.agg: {shown(item['agg'])} is neither max nor mean")
    return Requirement(name, "mean" if agg == "mean" else "max", _text(item.get("description"), f"{where}.description"))


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise RubricError(f"{where}: a text is needed, not {shown(value)}")
    return value.strip()


def _number(value: Any, low: float, high: float, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise RubricError(f"{where}: {shown(value)} is not a number from {low:g} to {high:g}")
    return float(value)
