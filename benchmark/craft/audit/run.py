"""Running an audit: every oracle, undamaged and damaged, through the stages of a trial, all cached by content."""

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import cv2

from benchmark.cache import key_of, place, recalled
from benchmark.craft.audit.cuts import NoCutError
from benchmark.craft.audit.damages import Damage
from benchmark.craft.audit.verdict import Audit, AuditRow, Outcome
from benchmark.craft.judging.cache import judge_once
from benchmark.craft.judging.protocol import DemoEvidence, Judge
from benchmark.craft.replay_stage import show
from benchmark.craft.rubric import Rubric, read_rubric
from benchmark.craft.scoring import Scores, aggregate
from benchmark.errors import BenchmarkError
from benchmark.files import write_json
from benchmark.progress import Progress
from benchmark.projects.solutions import lay_out_solution
from benchmark.projects.submission import take_submission
from benchmark.replay.build_gate import check_build
from benchmark.replay.engine_recorder import scripts_digest
from benchmark.replay.evidence import RecorderSettings
from benchmark.replay.recordings import Studio
from benchmark.replay.traces import FPS
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import Task
from benchmark.trials import one_line

FORMAT = 1
TILE = (320, 180)
_SCORES = "scores.json"
_TILE_AT = 0.6  # of a demo: past the title, before the end


class BuildFailedError(BenchmarkError):
    """The project does not pass the gate."""


@dataclass(frozen=True)
class AuditTools:
    """What an audit is run with. `jobs` demos are drawn at once."""

    machine: Machine
    judge: Judge
    progress: Progress
    jobs: int | None = None


@dataclass(frozen=True)
class Examined:
    """A submission under a rubric: its scores, and a small picture of it."""

    scores: Scores
    tile: str


@dataclass
class _TimeLeft:
    """How long it may still take, from what took its time so far; what comes from the cache says nothing."""

    steps: int
    done: int = 0
    slow: list[float] = field(default_factory=list)

    def step(self, seconds: float) -> None:
        self.done += 1
        if seconds > 2.0:
            self.slow.append(seconds)

    def label(self) -> str:
        if not self.slow:
            return f"{self.done} of {self.steps}"
        left = sum(self.slow) / len(self.slow) * (self.steps - self.done)
        return f"{self.done} of {self.steps}, " + (f"{left / 60:.0f} min left" if left >= 90 else f"{left:.0f} s left")


def run_audit(tasks: Sequence[Task], damages: Sequence[Damage], tools: AuditTools, others: Sequence[Task]) -> Audit:
    """Damage each task's oracle. `others` are where `wrong-genre` takes its games from."""
    clock = _TimeLeft(len(tasks) * len(damages))
    rows: list[AuditRow] = []
    problems: list[str] = []
    tiles: dict[tuple[str, str], str] = {}
    for task in tasks:
        try:
            rubric = read_rubric(task.folder)
            before = _timed(clock, tools, f"{task.slug}, undamaged", partial(_oracle, task, rubric, tools), 0)
        except (BenchmarkError, OSError) as error:
            problems.append(f"{task.id}: {one_line(str(getattr(error, 'message', error)))}")
            clock.done += len(damages)
            continue
        tiles[task.id, ""] = before.tile
        for damage in damages:
            row, tile = _row(_Subject(task, rubric), damage, before, tools, others, clock)
            rows.append(row)
            if tile:
                tiles[task.id, damage.name] = tile
    tools.progress.done()
    judge = tools.judge
    return Audit(
        judge=judge.name,
        judge_version=judge.version,
        proxy=judge.proxy,
        rows=tuple(rows),
        problems=tuple(problems),
        tiles=tiles,
    )


class _Subject(NamedTuple):
    task: Task
    rubric: Rubric


def _row(
    subject: _Subject,
    damage: Damage,
    before: Examined,
    tools: AuditTools,
    others: Sequence[Task],
    clock: _TimeLeft,
) -> tuple[AuditRow, str]:
    task, rubric = subject

    def work(say: Callable[[str], None]) -> Examined:
        if damage.name == "untouched":
            # A judge that may change its mind is asked a second time; another answer would be a false alarm.
            return before if tools.judge.steady else _oracle(task, rubric, tools, say, repeat=2)
        if damage.apply is None:
            return _oracle(_stranger(task, others), rubric, tools, say)
        return _damaged(task, rubric, damage, tools, say)

    outcome: Outcome
    try:
        after = _timed(clock, tools, f"{task.slug}, {damage.name}", work, 1)
        return AuditRow(
            task=task.id, damage=damage, outcome="scored", reason="", before=before.scores, after=after.scores
        ), after.tile
    except (NoCutError, NoStrangerError) as error:
        outcome, reason = "not defined", error.message
    except BuildFailedError as error:
        outcome, reason = "broken", error.message
    except (BenchmarkError, OSError) as error:
        outcome, reason = "void", str(getattr(error, "message", error))
    clock.done += 1
    return AuditRow(task=task.id, damage=damage, outcome=outcome, reason=one_line(reason), before=before.scores), ""


def _timed(
    clock: _TimeLeft, tools: AuditTools, what: str, work: Callable[[Callable[[str], None]], Examined], steps: int
) -> Examined:
    began = time.monotonic()

    def say(stage: str) -> None:
        tools.progress.update(f"{clock.label()}  {what}: {stage}", clock.done / max(clock.steps, 1))

    say("…")
    examined = work(say)
    if steps:
        clock.step(time.monotonic() - began)
    return examined


class NoStrangerError(BenchmarkError):
    """There is no other task whose oracle could be handed in."""


def _stranger(task: Task, others: Sequence[Task]) -> Task:
    """The next task of another family that has an oracle, so that every task meets the same one each time."""
    able = [other for other in others if other.has_oracle]
    later = [other for other in able if other.id > task.id] + [other for other in able if other.id < task.id]
    found = next((other for other in later if other.family != task.family), None)
    if found is None:
        raise NoStrangerError("no task of another family is here")
    return found


def _oracle(task: Task, rubric: Rubric, tools: AuditTools, say: Callable[[str], None], repeat: int = 1) -> Examined:
    with work_folder("oracle", on_disk=True) as work:
        lay_out_solution(task.folder / "solution", work / "game", tools.machine)
        return _examine(work, rubric, tools, say, repeat)


def _damaged(task: Task, rubric: Rubric, damage: Damage, tools: AuditTools, say: Callable[[str], None]) -> Examined:
    assert damage.apply is not None
    with work_folder("damaged", on_disk=True) as work:
        lay_out_solution(task.folder / "solution", work / "game", tools.machine)
        damage.apply(task, work / "game")
        return _examine(work, rubric, tools, say)


def _examine(work: Path, rubric: Rubric, tools: AuditTools, say: Callable[[str], None], repeat: int = 1) -> Examined:
    """Gate, show, judge, aggregate: what lies in `work/game` is a submission like any other."""
    take_submission(work / "game", work / "submission")
    say("gate")
    gate = check_build(work / "submission", tools.machine)
    if not gate.build or gate.prepared is None:
        raise BuildFailedError("; ".join(str(finding) for finding in gate.findings if finding.blocks) or "BUILD is 0")
    traces = gate.traces.traces[: rubric.max_demos]
    settings = RecorderSettings(video_fps=0, window_frames=round(rubric.max_demo_seconds * FPS))
    names = [[trace.name, trace.digest] for trace in traces]
    judge = tools.judge
    parts = [
        FORMAT, gate.prepared.digest, names, tools.machine.engine.version, scripts_digest(), asdict(settings),
        rubric.digest, judge.name, judge.version, repeat,
    ]  # fmt: skip
    kept = place("audits", key_of(parts))
    tile = str(kept / "tile.jpg")
    with contextlib.suppress(TypeError):
        return Examined(Scores(**recalled(kept / _SCORES)), tile)
    count = len(traces) + (len({trace.scenario for trace in traces}) + len(traces) if judge.needs_untouched else 0)
    recorded: list[object] = []

    def on_done(recording: object) -> None:
        recorded.append(recording)
        say(f"{len(recorded)} of {count} recorded")

    demos = show(
        gate.prepared, traces, settings, Studio(tools.machine, jobs=tools.jobs, on_done=on_done), work,
        untouched=judge.needs_untouched,
    )  # fmt: skip
    say("judging")
    judgements = judge_once(judge, rubric, demos, repeat=repeat)
    scores = aggregate(rubric, gate.build, [judgement.scores for judgement in judgements])
    kept.mkdir(parents=True, exist_ok=True)
    _draw_tile(demos, Path(tile))
    write_json(kept / _SCORES, asdict(scores))
    return Examined(scores, tile)


def _draw_tile(demos: Sequence[DemoEvidence], out: Path) -> None:
    """One still of the second demo: the first one often begins with a title."""
    demo = demos[min(1, len(demos) - 1)]
    stills = demo.evidence.stills
    if not stills:
        return
    picture = cv2.imread(str(demo.folder / stills[round(_TILE_AT * (len(stills) - 1))].file))
    if picture is not None:
        cv2.imwrite(str(out), cv2.resize(picture, TILE, interpolation=cv2.INTER_AREA), [cv2.IMWRITE_JPEG_QUALITY, 88])
