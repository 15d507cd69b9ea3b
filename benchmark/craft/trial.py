"""A craft trial from beginning to end: produce, gate, replay, judge, aggregate. Knows nothing of pytest.

Each stage owns a part of the trial's folder, and can be taken up again from what the stages before it left there.
"""

import contextlib
import hashlib
import itertools
import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmark import __version__
from benchmark.agents.protocol import Agent, AgentReport, Assignment
from benchmark.agents.workspace import lay_out_workspace
from benchmark.craft.gate import check_build
from benchmark.craft.instruction import read_instruction
from benchmark.craft.replay.evidence import RecorderSettings
from benchmark.craft.rubric import Rubric, read_rubric
from benchmark.craft.scoring import Scores, aggregate
from benchmark.craft.showing import read_showing, show
from benchmark.craft.submission import take_submission
from benchmark.craft.traces import FPS
from benchmark.errors import BenchmarkError, InfrastructureError
from benchmark.files import write_json
from benchmark.judges.panel import FILE as OPINIONS
from benchmark.judges.panel import Opinion, hear, read_opinions, write_opinions
from benchmark.judges.protocol import DemoEvidence, DemoJudgement, Judge
from benchmark.results.store import now
from benchmark.runtime.machine import Machine
from benchmark.tasks import Task
from benchmark.trials import DemoRecord, OpinionRecord, Stage, TrialId, TrialRecord, one_line


@dataclass(frozen=True)
class Tools:
    """What a trial is run with. `workspace` gives the agent's folder, and takes it away afterwards."""

    machine: Machine
    settings: RecorderSettings
    judges: tuple[Judge, ...]  # the first one's scores count
    workspace: Callable[[], AbstractContextManager[Path]]
    repeats: int = 1  # how often each judge is asked
    jobs: int | None = None  # demos drawn at once
    fresh: bool = False  # past every cache
    on_stage: Callable[[str], None] = lambda _: None


@dataclass
class CraftTrial:
    """What is known of a trial, growing while it runs; at the end it is what a test or a debugger looks at."""

    id: TrialId
    task: Task
    folder: Path
    rubric: Rubric
    report: AgentReport | None = None
    gate: dict[str, Any] = field(default_factory=dict)
    evidence: tuple[DemoEvidence, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    weighed: tuple[Scores, ...] = ()  # of each opinion
    judgements: tuple[DemoJudgement, ...] = ()  # those that count
    scores: Scores | None = None
    record: TrialRecord | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    def reason_for(self, item: str) -> str:
        """What the judge said of an item, in the demo that shows it best."""
        said = [judgement.items[item] for judgement in self.judgements if item in judgement.items]
        return max(said, key=lambda one: one.score).reason if said else ""


def run_trial(
    trial: TrialId, task: Task, agent: Agent, tools: Tools, folder: Path, start: Stage = "produce"
) -> CraftTrial:
    """Run the stages from `start` on. A failure of the harness becomes a void record, never a number."""
    began = now()
    state = CraftTrial(trial, task, folder, read_rubric(task.folder))
    folder.mkdir(parents=True, exist_ok=True)
    reason = ""
    try:
        _run_stages(state, agent, tools, start)
    except (BenchmarkError, OSError, MemoryError) as error:
        reason = one_line(f"{getattr(error, 'message', None) or error or type(error).__name__}")
    record = _record(state, agent, tools, reason)
    state.record = replace(record, started=began, finished=now())
    with contextlib.suppress(OSError):  # the disk may be what failed; the run store says so too
        write_json(folder / "trial.json", asdict(state.record))
    return state


def _run_stages(state: CraftTrial, agent: Agent, tools: Tools, start: Stage) -> None:
    for judge in tools.judges:
        judge.ready()
    if start == "produce":
        with _timed(state, tools, "produce"):
            _produce(state, agent, tools)
    else:
        state.report = AgentReport(**_read(state.folder / "agent.json"))
    if start in ("produce", "gate"):
        _gate_and_replay(state, tools)
    else:
        state.gate = _read(state.folder / "gate.json")
        state.evidence = read_showing(state.folder) if state.gate["build"] else ()
    if not state.gate["build"]:
        state.scores = aggregate(state.rubric, 0, ())
        return
    if start == "aggregate":
        state.opinions = read_opinions(state.folder)
    else:
        with _timed(state, tools, "judge"):
            state.opinions = hear(
                tools.judges, tools.repeats, state.rubric, state.evidence, fresh=tools.fresh,
                log=state.folder / "judge.log.jsonl",
            )  # fmt: skip
            write_opinions(state.folder, state.opinions)
    with _timed(state, tools, "aggregate"):
        _aggregate(state)


def _aggregate(state: CraftTrial) -> None:
    """The opinion that counts is the first judge's; of its repeats the one with the median score.

    A whole opinion, not a median of each number: its reasons, items and score belong together. Of an even number
    the lower of the two in the middle.
    """
    state.weighed = tuple(
        aggregate(state.rubric, 1, [demo.scores for demo in opinion.demos]) for opinion in state.opinions
    )
    first = state.opinions[0].judge
    own = [place for place, opinion in enumerate(state.opinions) if opinion.judge == first]
    own.sort(key=lambda place: state.weighed[place].score)
    chosen = own[(len(own) - 1) // 2]
    state.judgements, state.scores = state.opinions[chosen].demos, state.weighed[chosen]
    shutil.rmtree(state.folder / "judgement", ignore_errors=True)
    for judgement in state.judgements:
        write_json(state.folder / "judgement" / f"{judgement.demo}.json", asdict(judgement))


def _produce(state: CraftTrial, agent: Agent, tools: Tools) -> None:
    for name in ("submission", "evidence", "untouched", "judgement"):
        shutil.rmtree(state.folder / name, ignore_errors=True)
    with tools.workspace() as workspace:
        instruction = lay_out_workspace(state.task, workspace, tools.machine)
        log = state.folder / "agent.log"
        log.touch()
        assignment = Assignment(state.task, workspace, instruction, state.task.agent_timeout_sec, log)
        state.report = agent.work(assignment)
        take_submission(workspace / "game", state.folder / "submission")
    write_json(state.folder / "agent.json", asdict(state.report))


def _gate_and_replay(state: CraftTrial, tools: Tools) -> None:
    submission = state.folder / "submission"
    if not submission.is_dir():
        raise InfrastructureError(f"{submission} is not there", fix="run the trial again without --replay-only")
    with _timed(state, tools, "gate"):
        gate = check_build(submission, tools.machine)
        state.gate = {**gate.to_json(), "bad_traces": len(gate.traces.problems)}
        write_json(state.folder / "gate.json", state.gate)
        (state.folder / "gate.log").write_text(gate.log, encoding="utf-8")
    for name in ("evidence", "untouched", "judgement"):
        shutil.rmtree(state.folder / name, ignore_errors=True)
    (state.folder / OPINIONS).unlink(missing_ok=True)
    if gate.build and gate.prepared:
        window = round(state.rubric.max_demo_seconds * FPS)
        with _timed(state, tools, "replay"):
            recorded = itertools.count(1)
            state.evidence = show(
                gate.prepared, gate.traces.traces[: state.rubric.max_demos],
                replace(tools.settings, window_frames=window), tools.machine, state.folder,
                untouched=any(judge.needs_untouched for judge in tools.judges), jobs=tools.jobs, fresh=tools.fresh,
                on_done=lambda _: tools.on_stage(f"replay, {next(recorded)} recorded"),
            )  # fmt: skip


def _read(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise InfrastructureError(f"{path} cannot be read: {error}", fix="run the trial from the start") from error


@contextmanager
def _timed(state: CraftTrial, tools: Tools, stage: str) -> Iterator[None]:
    tools.on_stage(stage)
    began = time.monotonic()
    try:
        yield
    finally:
        state.seconds[stage] = round(time.monotonic() - began, 3)


def _record(state: CraftTrial, agent: Agent, tools: Tools, void: str) -> TrialRecord:
    trial, task, scores = state.id, state.task, state.scores
    judge = _first_judge(state, tools)
    blockers = [one_line(str(f["message"])) for f in state.gate.get("findings", ()) if f["blocks"]]
    record = TrialRecord(
        task=trial.task, agent=trial.agent, attempt=trial.attempt, family=task.family, difficulty=task.difficulty,
        outcome="void", reason=void, judge=judge.judge, proxy=judge.proxy,
        demos=tuple(_demo_record(demo) for demo in state.evidence), bad_traces=state.gate.get("bad_traces", 0),
        agent_ended=state.report.ended if state.report else "",
        cost_usd=(state.report.cost_usd if state.report else 0.0) + sum(one.cost_usd for one in state.opinions),
        seconds=state.seconds, versions=_versions(state, agent, tools),
    )  # fmt: skip
    if scores is None:
        return record
    return replace(
        record, outcome="scored", reason="" if scores.build else "; ".join(blockers[:3]), build=scores.build,
        score=scores.score, categories=scores.categories, items=scores.items,
        opinions=_opinion_records(state) if len(state.opinions) > 1 else (),
    )  # fmt: skip


def _first_judge(state: CraftTrial, tools: Tools) -> Opinion:
    """Whose scores count: as it was when it judged, or as it would be asked now."""
    if state.opinions:
        return state.opinions[0]
    first = tools.judges[0]
    return Opinion(first.name, first.version, first.proxy, 1, ())


def _opinion_records(state: CraftTrial) -> tuple[OpinionRecord, ...]:
    return tuple(
        OpinionRecord(
            opinion.judge, opinion.version, opinion.proxy, opinion.repeat, scores.score, scores.categories,
            scores.items, opinion.cost_usd,
        )
        for opinion, scores in zip(state.opinions, state.weighed, strict=True)
    )  # fmt: skip


def _demo_record(demo: DemoEvidence) -> DemoRecord:
    evidence, outcome = demo.evidence, demo.evidence.outcome
    return DemoRecord(demo.name, evidence.frames.expected / FPS, outcome.kind, outcome.detail, evidence.inputs_sent)


def _versions(state: CraftTrial, agent: Agent, tools: Tools) -> dict[str, str]:
    """What the number depends on, by name and hash."""
    return {
        "harness": __version__,
        "engine": tools.machine.engine.version,
        "agent": agent.version,
        "judge": _first_judge(state, tools).version,
        "rubric": state.rubric.digest[:16],
        "instruction": _digest(read_instruction(state.task)),
        "recorder": tools.settings.recorder,
        "project": str(state.gate.get("project_digest", ""))[:16],
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
