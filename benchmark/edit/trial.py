"""An edit trial after production: run the hidden test, keep what it said and what the agent changed."""

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from benchmark.edit.changes import changes
from benchmark.edit.instruction import render_instruction
from benchmark.edit.package import EditPackage
from benchmark.edit.packages import read_package
from benchmark.edit.soundness import check_task
from benchmark.edit.verdict import CheckResult, Verdict
from benchmark.edit.verify import kit_digest, verify_once
from benchmark.errors import InfrastructureError
from benchmark.files import write_json, write_whole
from benchmark.limits import STORED_BYTES
from benchmark.project_trial import ProjectTrial
from benchmark.running import Check, Result, Tools
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import Task
from benchmark.trials import Stage, TrialId, TrialRecord, one_line
from benchmark.untrusted import read_json
from benchmark.versions import text_digest

JUDGE = "hidden test"
VERDICT, LOG, CHANGES, PICTURE = "verdict.json", "test.log", "changes.diff", "picture.png"


@dataclass
class EditTrial(ProjectTrial):
    """One change in an existing project; its hidden test says whether it was made."""

    package: EditPackage = field(kw_only=True)
    verdict: Verdict | None = None

    def instruction(self, workspace: str) -> str:
        return render_instruction(self.package.instruction, workspace)

    def lay_out_start(self, game: Path) -> None:
        self.package.start.lay_out(game)

    def lay_out_reference(self, machine: Machine, game: Path) -> None:
        if self.package.reference is None:
            raise InfrastructureError(f"{self.task.id} has no reference solution")
        self.package.reference.lay_out(game)

    def score(self, tools: Tools, start: Stage) -> None:
        if start == "aggregate":
            self.verdict = _read_verdict(self.folder)
            return
        submission = self.require_submission()
        if self.package.explore:
            with self.timed(tools, "reference"):
                self.package = replace(self.package, mode=check_task(self.package, tools.machine, fresh=tools.fresh))
        with self.timed(tools, "verify"):
            self.verdict = verify_once(
                submission, self.package.hidden_run, tools.machine, self.folder / PICTURE, fresh=tools.fresh
            )
            write_json(self.folder / VERDICT, {**asdict(self.verdict), "log": ""})
            write_whole(self.folder / LOG, self.verdict.log)
            with work_folder("start", on_disk=True) as work:
                self.package.start.lay_out(work / "start")
                write_whole(self.folder / CHANGES, changes(work / "start", submission))
        if self.verdict.how in ("no verdict", "broken test") and not self.package.explore:
            # Whose fault? If the reference gets no verdict either, it is the task's.
            with self.timed(tools, "reference"):
                check_task(self.package, tools.machine, fresh=tools.fresh)

    def describe(self, record: TrialRecord, tools: Tools) -> TrialRecord:
        versions = {"judge": judge_version(), "project": self.verdict.project_digest[:16] if self.verdict else ""}
        return replace(record, judge=JUDGE, versions={**record.versions, **versions})

    def result(self) -> Result:
        verdict = self.verdict
        assert verdict is not None
        return Result(
            score=float(verdict.passed), reason=one_line(verdict.reason),
            items={one.name: float(one.ok) for one in verdict.checks},
            facts={"build": int(verdict.how in ("passed", "failed"))},
        )  # fmt: skip

    def checks(self) -> tuple[Check, ...]:
        assert self.verdict is not None
        return _checks(self.verdict)


def begin(trial: TrialId, task: Task, folder: Path) -> EditTrial:
    return EditTrial(trial, task, folder, package=read_package(task))


def judge_version() -> str:
    return kit_digest()[:12]


def verifier() -> tuple[str, str]:
    """Name and version of what decides."""
    return JUDGE, judge_version()


def task_versions(task: Task, solution: bool) -> dict[str, str]:
    """By hash: what is asked, of which project, which test decides, and what an oracle hands in."""
    package = read_package(task)
    test = json.dumps([package.test.source, getattr(package.test, "parameters", {})], sort_keys=True)
    versions = {
        "rubric": text_digest(test),
        "instruction": text_digest(package.instruction),
        "start": package.start.digest(),
    }
    return versions | ({"solution": package.reference.digest()} if solution and package.reference else {})


def stored_checks(folder: Path, record: TrialRecord) -> tuple[Check, ...]:
    """As they were, from the trial's folder. Raises InfrastructureError."""
    return _checks(_read_verdict(folder))


def _checks(verdict: Verdict) -> tuple[Check, ...]:
    """That the test came to its end, then each of its checks."""
    ended = verdict.how in ("passed", "failed")
    title = "BUILD 1" if ended else f"BUILD 0: {one_line(verdict.reason)}"
    first = Check(name="BUILD", score=float(ended), reason=verdict.reason, title=title, decides_all=True)
    return (first, *(Check(one.name, float(one.ok), one.message) for one in verdict.checks if ended))


def _read_verdict(folder: Path) -> Verdict:
    path = folder / VERDICT
    try:
        data = read_json(path, STORED_BYTES)
        return Verdict(**{**data, "checks": tuple(CheckResult(**check) for check in data["checks"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InfrastructureError(f"{path} cannot be read: {error}", fix="verify it again: --rejudge") from error
