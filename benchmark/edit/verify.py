"""The verify stage: run the hidden test of a task against what an agent left, and say what came of it."""

import contextlib
import hashlib
import shutil
import time
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmark.cache import key_of, place, recalled
from benchmark.edit.beside import GODOT, PICTURE, PLAYER, run_beside
from benchmark.edit.hidden import HiddenTest, ImportedTest
from benchmark.edit.hidden_run import HiddenRun
from benchmark.edit.inside import RUNNER, run_inside
from benchmark.edit.verdict import CheckResult, Verdict, nothing_reached
from benchmark.files import write_json
from benchmark.projects import held_back
from benchmark.projects.autoloads import autoload_in_the_way
from benchmark.projects.prepare import VERSION as PREPARE_VERSION
from benchmark.projects.prepare import folder_for_imports, prepare
from benchmark.projects.project import PROJECT_FILE, SubmittedProject, put_in_place, scan_project
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder

_STAND_IN = b"extends Node\n"


def verify(
    submission: Path, hidden: HiddenRun, machine: Machine, picture: Path | None = None, *, fresh: bool = False
) -> Verdict:
    """Run the test against a submission, which is not modified. A picture of the scene is kept where one is drawn."""
    test = hidden.test
    project = scan_project(submission)
    problem = _problem(project, test)
    if problem:
        return _nothing(test, Verdict("failed", problem, project_digest=project.digest))
    with ExitStack() as stack:
        if isinstance(test, ImportedTest):
            work = stack.enter_context(work_folder("edit", on_disk=True))
            project = _laid_over(project, test, work / "project")
        began = time.monotonic()
        prepared = prepare(project, machine, stack.enter_context(folder_for_imports(fresh=fresh)))
        seconds = {"import": round(time.monotonic() - began, 3)}
        if prepared.problem:
            return _nothing(test, Verdict("failed", prepared.problem, seconds=seconds, project_digest=project.digest))
        if isinstance(test, ImportedTest):
            verdict = run_inside(prepared, test, machine, hidden.mode, hidden.limit_sec)
        else:
            verdict = run_beside(prepared, test, machine, hidden.mode, hidden.limit_sec, picture)
    return replace(verdict, project_digest=project.digest, seconds={**seconds, **verdict.seconds})


def kit_digest() -> str:
    """Changes whenever the same test could come to another verdict."""
    total = hashlib.sha256()
    for path in (*sorted(GODOT.rglob("*.g*")), held_back.SCRIPT):
        total.update(path.read_bytes())
    return total.hexdigest()


def verify_once(
    submission: Path, hidden: HiddenRun, machine: Machine, picture: Path | None = None, *, fresh: bool = False
) -> Verdict:
    """What the test said of this very submission before, or says now."""
    parts = [
        scan_project(submission).digest, asdict(hidden.test, dict_factory=_plain), str(hidden.mode),
        machine.engine.version, kit_digest(), hidden.limit_sec, PREPARE_VERSION,
    ]  # fmt: skip
    folder = place("verdicts", key_of(parts))
    if not fresh:
        with contextlib.suppress(OSError, KeyError, TypeError):
            data = recalled(folder / "verdict.json")
            if picture is not None and (folder / PICTURE).exists():
                shutil.copyfile(folder / PICTURE, picture)
            return Verdict(**{**data, "checks": tuple(CheckResult(**check) for check in data["checks"])})
    verdict = verify(submission, hidden, machine, picture, fresh=fresh)
    if verdict.settled:
        folder.mkdir(parents=True, exist_ok=True)
        if picture is not None and picture.exists():
            shutil.copyfile(picture, folder / PICTURE)
        write_json(folder / "verdict.json", asdict(verdict))
    return verdict


def _plain(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A test as JSON: files by their hash."""
    return {
        key: {name: hashlib.sha256(data).hexdigest() for name, data in value.items()} if key == "files" else value
        for key, value in pairs
    }


def _problem(project: SubmittedProject, test: HiddenTest) -> str:
    if project.problem:
        return f"the project has {project.problem}"
    if not project.has(PROJECT_FILE):
        return f"no {PROJECT_FILE} in the project folder"
    ours = (RUNNER,) if isinstance(test, ImportedTest) else PLAYER.glob("*.gd")
    in_the_way = autoload_in_the_way(project.settings_text(), ours)
    return f"{PROJECT_FILE}: {in_the_way}" if in_the_way else ""


def _nothing(test: HiddenTest, verdict: Verdict) -> Verdict:
    return verdict if isinstance(test, ImportedTest) else nothing_reached(test, verdict)


def _laid_over(project: SubmittedProject, test: ImportedTest, target: Path) -> SubmittedProject:
    """A copy of the submission with the task's own test files, whatever it has in their place."""
    for name in project.files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(project.folder / name, target / name)
    for name, data in test.files.items():
        put_in_place(target, name, _STAND_IN if name == test.path else data)
    return scan_project(target)
