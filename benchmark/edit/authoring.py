"""What an edit package must be like before it may join the benchmark. That it is sound, only the engine can say."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmark.assets.manifest import MANIFEST, ManifestError, read_manifest
from benchmark.authoring import Problem, binaries
from benchmark.edit.hidden import KitTest
from benchmark.edit.package import RIGHT, RIGHT_FILE, TEST_FILE, WRONG, WRONG_FILE, EditPackage, Layers, read_package
from benchmark.edit.test_source import wrong_process
from benchmark.edit.track import EDITORS, SKILLS
from benchmark.tasks import (
    DIFFICULTIES,
    TASK_FILE,
    VARIANT_FILE,
    VARIANTS,
    Task,
    TaskError,
    read_toml,
    read_variants,
)

WORDS = (40, 260)  # of an instruction
STEPS = {"easy": (1, 3), "medium": (4, 8), "hard": (9, 40)}
MIN_WRONG, MIN_RIGHT, MIN_CHECKS, MIN_VARIANTS = 3, 1, 3, 1
_LEAKS = ("test.gd", "hidden test", "solution/", "t.check")
_ENGINE_OWN = ("*.import", "*.uid")
_FOREIGN_AWAIT = re.compile(r"\bawait (?!t\.|_)(\S+)")


def check_package(folder: Path) -> tuple[Problem, ...]:
    """All broken rules of a package, in reading order."""
    try:
        task, *variants = read_variants(folder)
        package = read_package(task)
        others = [(variant, read_package(variant)) for variant in variants]
    except TaskError as error:
        return (Problem(TASK_FILE, "", error.message),)
    rules: tuple[Callable[[Task, EditPackage], Iterator[Problem]], ...] = (
        _metadata, _project, _test, _wrong, _right, _untried,
    )  # fmt: skip
    problems = [problem for rule in rules for problem in rule(task, package)]
    for one, about in [(task, package), *others]:
        problems += _instruction(one, about)
    problems += _variants(task, package, others)
    return tuple(problems)


def _metadata(task: Task, package: EditPackage) -> Iterator[Problem]:
    if task.family not in SKILLS:
        yield Problem(TASK_FILE, "metadata.family", f"{task.family!r} is not one of {', '.join(SKILLS)}")
    if task.labels.get("editor") not in EDITORS:
        yield Problem(TASK_FILE, "metadata.editor", f"one of {', '.join(EDITORS)} is needed")
    steps = read_toml(task.folder / TASK_FILE).get("metadata", {}).get("steps")
    low, high = STEPS[task.difficulty]
    if not isinstance(steps, int) or not low <= steps <= high:
        allowed = ", ".join(f"{name} {STEPS[name][0]}–{STEPS[name][1]}" for name in DIFFICULTIES)
        yield Problem(TASK_FILE, "metadata.steps", f"{steps!r} does not fit {task.difficulty!r} ({allowed})")
    if not task.description:
        yield Problem(TASK_FILE, "task.description", "one sentence is needed")


def _project(task: Task, package: EditPackage) -> Iterator[Problem]:
    start, solution = task.folder / "start", task.folder / "solution"
    if not (start / "project.godot").is_file():
        yield Problem("start/project.godot", "", "there is no such file")
    try:
        if not read_manifest(start).copies:
            yield Problem(f"start/{MANIFEST}", "", "the project uses no art of the library")
    except ManifestError as error:
        yield Problem(f"start/{MANIFEST}", "", error.message)
    changed = [path for path in solution.rglob("*") if path.is_file()] if solution.is_dir() else []
    if not changed:
        yield Problem("solution/", "", "holds no file that differs")
    for path in changed:
        other = start / path.relative_to(solution)
        if other.is_file() and other.read_bytes() == path.read_bytes():
            yield Problem(path.relative_to(task.folder).as_posix(), "", "is the same as in start/; leave it out")
    yield from binaries(task.folder)
    for pattern in _ENGINE_OWN:
        for path in sorted(task.folder.rglob(pattern)):
            yield Problem(path.relative_to(task.folder).as_posix(), "", "the engine writes it anew; leave it out")


def _instruction(task: Task, package: EditPackage) -> Iterator[Problem]:
    name = f"{VARIANTS}/{task.variant}: instruction" if task.variant else "instruction.md"
    words = len(package.instruction.split())
    if not WORDS[0] <= words <= WORDS[1]:
        yield Problem(name, "", f"{words} words; {WORDS[0]} to {WORDS[1]} are wanted")
    for leak in _LEAKS:
        if leak in package.instruction.lower():
            yield Problem(name, "", f"speaks of {leak!r}, which the agent must not know of")


def _test(task: Task, package: EditPackage) -> Iterator[Problem]:
    test = package.test
    assert isinstance(test, KitTest)
    if not test.functions:
        yield Problem(TEST_FILE, "", "has no function test_*(t)")
    if len(test.checks) < MIN_CHECKS:
        yield Problem(TEST_FILE, "", f"makes {len(test.checks)} checks; at least {MIN_CHECKS} are wanted")
    for name in test.unnamed:
        yield Problem(TEST_FILE, name, "the name of a check must be written out, so that a missing one is noticed")
    for name in _FOREIGN_AWAIT.findall(test.source):
        yield Problem(TEST_FILE, name, "wait with functions of the kit: signals of the project are in another process")
    for form, instead in wrong_process(test.source):
        yield Problem(TEST_FILE, form, instead)
    for name in test.ambiguous:
        yield Problem(TEST_FILE, name, f'is called and read as a property; call it with object.call("{name}")')


def _wrong(task: Task, package: EditPackage) -> Iterator[Problem]:
    assert isinstance(package.test, KitTest)
    if len(package.wrong) < MIN_WRONG:
        yield Problem(WRONG_FILE, "", f"{len(package.wrong)} wrong attempts; at least {MIN_WRONG} are wanted")
    for attempt in package.wrong:
        for name in attempt.fails:
            if name not in package.test.checks:
                yield Problem(WRONG_FILE, f"{attempt.name}.fails", f"{name!r} is no check of the test")


def _right(task: Task, package: EditPackage) -> Iterator[Problem]:
    if len(package.right) < MIN_RIGHT:
        yield Problem(RIGHT_FILE, "", f"{len(package.right)} other right solutions; at least {MIN_RIGHT} is wanted")
    assert isinstance(package.reference, Layers)
    below = (*reversed(package.reference.overlays), package.reference.project)
    for solution in package.right:
        for path in sorted(solution.overlay.rglob("*")):
            name = path.relative_to(solution.overlay)
            other = next((folder / name for folder in below if (folder / name).is_file()), None)
            if path.is_file() and other is not None and other.read_bytes() == path.read_bytes():
                where = path.relative_to(task.folder).as_posix()
                yield Problem(where, "", "is the same as in the reference; leave it out")


def _untried(task: Task, package: EditPackage) -> Iterator[Problem]:
    named = {(RIGHT, one.name) for one in package.right} | {(WRONG, one.name) for one in package.wrong}
    for place in (RIGHT, WRONG):
        for path in sorted((task.folder / place).glob("*")):
            if (place, path.name) not in named:
                yield Problem(f"{place}/{path.name}", "", f"is not in {place}.toml, so nothing tries it")


def _variants(task: Task, package: EditPackage, others: list[tuple[Task, EditPackage]]) -> Iterator[Problem]:
    if len(others) < MIN_VARIANTS:
        yield Problem(VARIANTS, "", f"{len(others)} variants; at least {MIN_VARIANTS} is wanted")
    for variant, about in others:
        if about.instruction == package.instruction:
            yield Problem(f"{VARIANTS}/{variant.variant}/{VARIANT_FILE}", "", "asks for the same as the task itself")
