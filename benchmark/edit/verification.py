"""A change of a run from elsewhere, looked at again: its hidden test, compared with what the run says."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmark.edit.packages import read_package
from benchmark.edit.soundness import check_task
from benchmark.edit.verify import verify as run_test
from benchmark.tasks import Task
from benchmark.trials import TrialRecord, one_line
from benchmark.verify_run.findings import Finding, VerifyTools


def verify(folder: Path, record: TrialRecord, task: Task | None, bench: VerifyTools) -> Iterator[Finding]:
    if task is None:
        yield Finding("verdict", "not replayed", f"the task {one_line(record.task, 100)} is not here")
        return
    package = read_package(task)
    if package.explore:
        package = replace(package, mode=check_task(package, bench.machine))
    verdict = run_test(folder / "submission", package.hidden_run, bench.machine)
    bench.on_done("verdict")
    items = {check.name: float(check.ok) for check in verdict.checks}
    same = float(verdict.passed) == record.score and items == record.items
    detail = f"{verdict.how}{' again' if same else f' here, recorded is a score of {record.score}'}"
    if not same:
        detail += one_line(f": {verdict.reason}" if verdict.reason else "", 200)
    yield Finding("verdict", "identical" if same else "different", detail)
