"""Is a task sound? The start must fail, the reference must pass, and every wrong attempt must fail for its reason."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark.edit.package import EditPackage
from benchmark.edit.verify import Mode, Verdict, verify
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder


@dataclass(frozen=True)
class Trying:
    """One project that was tried, and what was expected of it."""

    what: str
    verdict: Verdict
    problem: str  # empty if it went as it should


@dataclass(frozen=True)
class Soundness:
    """What is known of a task after all of it was tried."""

    tryings: tuple[Trying, ...]
    mode: Mode

    @property
    def sound(self) -> bool:
        return not self.problems

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(f"{one.what}: {one.problem}" for one in self.tryings if one.problem)


def validate(package: EditPackage, machine: Machine, others: Iterator[tuple[str, EditPackage]] = iter(())) -> Soundness:
    """Try everything that comes with a package. `others` are its siblings, whose reference must not pass here."""
    tryings = []
    with work_folder("validate", on_disk=True) as work:
        package.start.lay_out(work / "start")
        verdict = _try(package, work / "start", machine)
        tryings.append(Trying("start", verdict, _start_problem(verdict)))
        if package.reference is not None:
            package.reference.lay_out(work / "reference")
            verdict = _try(package, work / "reference", machine)
            tryings.append(Trying("reference", verdict, "" if verdict.passed else f"{verdict.how}: {verdict.reason}"))
        for attempt in package.wrong:
            folder = work / f"wrong-{attempt.name}"
            package.lay_out_wrong(attempt, folder)
            verdict = _try(package, folder, machine)
            tryings.append(Trying(f"wrong {attempt.name}", verdict, _wrong_problem(verdict, attempt.fails)))
        for name, other in others:
            folder = work / f"other-{name}"
            assert other.reference is not None
            other.reference.lay_out(folder)
            verdict = _try(package, folder, machine)
            problem = "the solution of another variant passes" if verdict.passed else ""
            tryings.append(Trying(f"solution of {name}", verdict, problem))
    return Soundness(tuple(tryings), package.mode)


def _try(package: EditPackage, folder: Path, machine: Machine) -> Verdict:
    return verify(folder, package.test, machine, package.mode, package.limit_sec)


def _start_problem(verdict: Verdict) -> str:
    if verdict.passed:
        return "passes although nothing was done"
    return "" if verdict.how == "failed" else f"{verdict.how}: {verdict.reason}"


def _wrong_problem(verdict: Verdict, fails: tuple[str, ...]) -> str:
    if verdict.passed:
        return "passes"
    failed = {check.name for check in verdict.checks if not check.ok}
    missed = [name for name in fails if name not in failed]
    if missed:
        noticed = ", ".join(sorted(failed)) or verdict.reason
        return f"fails, but not in {', '.join(repr(name) for name in missed)}; noticed: {noticed}"
    return ""
