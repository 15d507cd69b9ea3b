"""Is a task sound? The start must fail, the reference and every other right solution must pass, and every wrong attempt
must fail for its reason."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark.edit.package import EditPackage
from benchmark.edit.verdict import Mode, Verdict
from benchmark.edit.verify import verify_once
from benchmark.errors import InfrastructureError
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
        found = [f"{one.what}: {one.problem}" for one in self.tryings if one.problem]
        if not any(one.what == "reference" for one in self.tryings):
            found.insert(0, "reference: there is none, so nothing shows that the task can be done")
        return tuple(found)


def validate(
    package: EditPackage, machine: Machine, others: Iterable[tuple[str, EditPackage]] = (), *, fresh: bool = False
) -> Soundness:
    """Try everything that comes with a package. `others` are its siblings, whose reference must not pass here."""
    tryings: list[Trying] = []
    if package.reference is not None:
        mode, verdict = working_mode(package, machine, fresh=fresh)
        tryings.append(Trying("reference", verdict, "" if verdict.passed else f"{verdict.how}: {verdict.reason}"))
        package = replace(package, mode=mode)
    with work_folder("validate", on_disk=True) as work:
        package.start.lay_out(work / "start")
        verdict = _try(package, work / "start", machine, fresh)
        tryings.append(Trying("start", verdict, _start_problem(verdict)))
        for solution in package.right:
            folder = work / f"right-{solution.name}"
            package.lay_out(solution, folder)
            verdict = _try(package, folder, machine, fresh)
            problem = "" if verdict.passed else f"is right, but {verdict.how}: {verdict.reason}"
            tryings.append(Trying(f"right {solution.name}", verdict, problem))
        for attempt in package.wrong:
            folder = work / f"wrong-{attempt.name}"
            package.lay_out(attempt, folder)
            verdict = _try(package, folder, machine, fresh)
            tryings.append(Trying(f"wrong {attempt.name}", verdict, _wrong_problem(verdict, attempt.fails)))
        for name, other in others:
            folder = work / f"other-{name}"
            assert other.reference is not None
            other.reference.lay_out(folder)
            verdict = _try(package, folder, machine, fresh)
            problem = "the solution of another variant passes" if verdict.passed else ""
            tryings.append(Trying(f"solution of {name}", verdict, problem))
    return Soundness(tuple(tryings), package.mode)


# In which a test of unknown needs may work, cheapest first.
_MODES = (Mode(), Mode(display=True), Mode(display=True, real_time=True))


def working_mode(package: EditPackage, machine: Machine, *, fresh: bool = False) -> tuple[Mode, Verdict]:
    """The first mode in which the reference passes, and its verdict there; the package's own if it passes in none."""
    assert package.reference is not None
    modes = [package.mode]
    if package.explore:
        modes += [mode for mode in _MODES if mode.display >= package.mode.display and mode != package.mode]
    first: Verdict | None = None
    with work_folder("reference", on_disk=True) as work:
        package.reference.lay_out(work / "reference")
        for mode in modes:
            verdict = verify_once(work / "reference", replace(package, mode=mode).hidden_run, machine, fresh=fresh)
            first = first or verdict
            if verdict.passed:
                return mode, verdict
    assert first is not None
    return package.mode, first


def check_task(package: EditPackage, machine: Machine, *, fresh: bool = False) -> Mode:
    """The mode in which the task can be decided. Raises InfrastructureError where its test says nothing of an agent:
    the reference does not pass, or what is there before anything was done does."""
    mode = package.mode
    if package.reference is not None:
        mode, verdict = working_mode(package, machine, fresh=fresh)
        if not verdict.passed:
            raise InfrastructureError(f"the task is unsound: its own solution does not pass ({verdict.reason})")
    with work_folder("start", on_disk=True) as work:
        package.start.lay_out(work / "start")
        if _try(replace(package, mode=mode), work / "start", machine, fresh).passed:
            raise InfrastructureError("the task is unsound: its test passes although nothing was done")
    return mode


def _try(package: EditPackage, folder: Path, machine: Machine, fresh: bool) -> Verdict:
    return verify_once(folder, package.hidden_run, machine, fresh=fresh)


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
