"""Verifying one trial: gate, demos and score again, each compared with what the run says of it."""

import math
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmark import __version__
from benchmark.craft.gate import GateReport, check_build
from benchmark.craft.replay.certify import side_by_side
from benchmark.craft.replay.evidence import Evidence
from benchmark.craft.replay.likeness import compare
from benchmark.craft.replay.stage import record_fresh
from benchmark.craft.rubric import Rubric, read_rubric
from benchmark.craft.traces import MAX_TRACES
from benchmark.craft.trial import weigh
from benchmark.errors import BenchmarkError
from benchmark.judges.panel import read_opinions
from benchmark.results.store import RunStore
from benchmark.runtime.machine import Machine
from benchmark.runtime.tokens import core_count, cpu_token
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import Task
from benchmark.trials import TrialRecord, one_line
from benchmark.verify_run.stored import UnreadableError, demo_folders, read_demo, trial_folder

Status = Literal["identical", "same to the eye", "different", "unreadable", "not replayed"]
BAD: tuple[Status, ...] = ("different", "unreadable")


@dataclass(frozen=True)
class Finding:
    """What came of one thing that was looked at again: a demo, the gate, the score, a verdict."""

    what: str
    status: Status
    detail: str = ""
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Bench:
    """What runs are verified with. `pictures` is where differences are drawn."""

    machine: Machine
    tasks: Mapping[str, Task]
    pictures: Path
    jobs: int | None = None
    on_done: Callable[[str], None] = lambda _: None  # told of every demo


def verify_trial(store: RunStore, record: TrialRecord, bench: Bench) -> tuple[Finding, ...]:
    """All findings of a trial. Whatever is wrong with it becomes one of them: the others go on."""
    if not record.scored:
        return (Finding("trial", "not replayed", one_line(f"void: {record.reason}", 200)),)
    if record.track not in _BY_TRACK:
        return (Finding("trial", "not replayed", one_line(f"track {record.track!r} has no demos", 200)),)
    try:
        folder = trial_folder(store, record)
        if not (folder / "submission").is_dir():
            raise UnreadableError("there is no submission")
        return tuple(_BY_TRACK[record.track](folder, record, bench.tasks.get(record.task), bench))
    except UnreadableError as error:
        return (Finding("trial", "unreadable", str(error)),)
    except BenchmarkError as error:  # here, not there: but nothing was confirmed
        return (Finding("trial", "unreadable", one_line(f"could not be verified here: {error.message}")),)


def _craft(folder: Path, record: TrialRecord, task: Task | None, bench: Bench) -> Iterator[Finding]:
    rubric = read_rubric(task.folder) if task else None
    gate = check_build(folder / "submission", bench.machine, rubric.max_demos if rubric else MAX_TRACES)
    if gate.build != record.build or not gate.build:
        blockers = one_line("; ".join(str(finding) for finding in gate.findings if finding.blocks), 200)
        same = gate.build == record.build
        detail = f"BUILD {gate.build} {'again' if same else 'here'}{f' ({blockers})' if blockers else ''}"
        yield Finding("gate", "identical" if same else "different", detail)
        return
    findings, shown = _demos(folder, gate, bench)
    yield from findings
    missing = [trace.name for trace in gate.traces.traces if trace.name not in shown]
    if missing and rubric and all(finding.status != "unreadable" for finding in findings):
        yield Finding("demos", "different", one_line(f"no evidence of {', '.join(missing)}", 300))
    yield _score(folder, record, rubric)


def _demos(folder: Path, gate: GateReport, bench: Bench) -> tuple[list[Finding], set[str]]:
    """What came of each demo, and of which traces there is evidence."""
    folders = demo_folders(folder)
    workers = max(1, min(bench.jobs or core_count(), len(folders)))

    def one(place: Path) -> tuple[Finding, str]:
        try:
            return _demo(place, gate, bench)
        except UnreadableError as error:
            return Finding(place.name, "unreadable", str(error)), ""
        except BenchmarkError as error:
            return Finding(place.name, "unreadable", one_line(f"could not be replayed here: {error.message}")), ""
        finally:
            bench.on_done(place.name)

    with ThreadPoolExecutor(workers) as pool:  # as in `replay`: a sandbox dies with the thread that started it
        results = list(pool.map(one, folders))
    return [finding for finding, _ in results], {name for _, name in results}


def _demo(place: Path, gate: GateReport, bench: Bench) -> tuple[Finding, str]:
    stored, fault = read_demo(place)
    trace = next((trace for trace in gate.traces.traces if trace.name == stored.demo), None)
    if trace is None or gate.prepared is None:
        raise UnreadableError(one_line(f"the submission has no trace {stored.demo!r}", 200))
    if stored.settings.recorder == "x11":
        return Finding(place.name, "not replayed", "filmed in real time, which never repeats itself"), stored.demo
    with work_folder("verify", on_disk=True) as out:
        with cpu_token():
            now = record_fresh(gate.prepared, trace, stored.settings, bench.machine, out, 1)
        likeness = compare(stored, now, place, out)
        data = {**asdict(likeness), "made_with": _made_with(stored), "here": _made_with(now)}
        status: Status = "different" if fault else likeness.degree
        detail = "; ".join(part for part in (fault, likeness.describe(), *_other_versions(stored, now)) if part)
        if status == "different":
            target = bench.pictures / place.parents[1].name / f"{place.name}.png"
            target.parent.mkdir(parents=True, exist_ok=True)
            first = likeness.still if likeness.still is not None else likeness.frame
            if side_by_side(stored, now, place, out, first, target, ("recorded", "here")):
                data["picture"] = str(target)
                detail += f"; see {target}"
    return Finding(place.name, status, detail, data), stored.demo


def _made_with(evidence: Evidence) -> dict[str, Any]:
    """What a picture may depend on besides the game."""
    return {"engine": evidence.engine_version, "project": evidence.project_digest, **evidence.pinned}


def _other_versions(stored: Evidence, now: Evidence) -> Iterator[str]:
    one, two = _made_with(stored), _made_with(now)
    for key in dict.fromkeys((*one, *two)):
        if one.get(key) != two.get(key):
            yield one_line(f"{key} was {one.get(key)}, is {two.get(key)} here", 240)


def _score(folder: Path, record: TrialRecord, rubric: Rubric | None) -> Finding:
    """From the judgements that lie in the run; no judge is asked."""
    if rubric is None:
        return Finding("score", "not replayed", f"the task {one_line(record.task, 100)} is not here")
    asked = record.versions.get("rubric", "")
    if asked and asked != rubric.digest[:16]:
        return Finding("score", "not replayed", one_line(f"the rubric here is {rubric.digest[:16]}, not {asked}", 200))
    try:
        opinions = read_opinions(folder)
        weighed, chosen = weigh(rubric, opinions)
    except BenchmarkError as error:
        return Finding("score", "unreadable", one_line(error.message, 200))
    scores = weighed[chosen]
    wrong = [] if _close(scores.score, record.score) else ["score"]
    for name, mine, theirs in (
        ("categories", scores.categories, record.categories), ("items", scores.items, record.items),
    ):  # fmt: skip
        if mine.keys() != theirs.keys() or not all(_close(mine[key], theirs[key]) for key in mine):
            wrong.append(name)
    if opinions[0].judge != record.judge:
        wrong.append("judge")
    shown = [place.name for place in demo_folders(folder)]
    if any(sorted(demo.demo for demo in opinion.demos) != sorted(shown) for opinion in opinions):
        wrong.append("demos judged")
    data = {"recorded": record.score, "here": scores.score, "wrong": wrong}
    if wrong:
        detail = f"{scores.score:.4f} from the judgements, recorded is {record.score}; not the same: {', '.join(wrong)}"
        return Finding("score", "different", detail, data)
    return Finding("score", "identical", f"{scores.score:.4f} again from {len(opinions)} opinion(s)", data)


def _close(one: float, two: float | None) -> bool:
    return two is not None and math.isclose(one, two, abs_tol=1e-9)


def _edit(folder: Path, record: TrialRecord, task: Task | None, bench: Bench) -> Iterator[Finding]:
    from benchmark.edit.formats import read_package
    from benchmark.edit.soundness import check_task
    from benchmark.edit.verify import verify

    if task is None:
        yield Finding("verdict", "not replayed", f"the task {one_line(record.task, 100)} is not here")
        return
    package = read_package(task)
    mode = check_task(package, bench.machine) if package.explore else package.mode
    verdict = verify(folder / "submission", package.test, bench.machine, mode, package.limit_sec)
    bench.on_done("verdict")
    items = {check.name: float(check.ok) for check in verdict.checks}
    same = float(verdict.passed) == record.score and items == record.items
    detail = f"{verdict.how}{' again' if same else f' here, recorded is a score of {record.score}'}"
    if not same:
        detail += one_line(f": {verdict.reason}" if verdict.reason else "", 200)
    yield Finding("verdict", "identical" if same else "different", detail)


_BY_TRACK = {"craft": _craft, "edit": _edit}


def other_harness(record: TrialRecord, machine: Machine) -> Iterator[str]:
    """Where what made a record is not what is here."""
    for key, here in (("harness", __version__), ("engine", machine.engine.version)):
        there = record.versions.get(key, "")
        if there and there != here:
            yield one_line(f"{key} was {there}, is {here} here", 200)
