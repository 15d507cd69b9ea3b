"""One trial from beginning to end, whatever its track. Knows nothing of pytest.

A track says what an agent is given, what is done with what it left, and what goes into the record. Each stage owns
a part of the trial's folder, and can be taken up again from what the stages before it left there.
"""

import contextlib
import importlib
import json
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmark import __version__
from benchmark.agents.protocol import Agent, AgentReport, Assignment
from benchmark.agents.workspace import INSTRUCTION, lay_out_workspace
from benchmark.craft.replay.evidence import RecorderSettings
from benchmark.errors import BenchmarkError, InfrastructureError
from benchmark.files import write_json
from benchmark.judges.protocol import DemoEvidence, Judge
from benchmark.projects.submission import take_submission
from benchmark.results.store import now
from benchmark.runtime.machine import Machine
from benchmark.tasks import Task
from benchmark.trials import Stage, TrialId, TrialRecord, one_line
from benchmark.versions import PRODUCED_WITH

TRIAL_FILE = "trial.json"  # the record, in the trial's folder


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


@dataclass(frozen=True)
class Check:
    """One sub-assertion of a trial: a rubric item with its score, or a check of a test that held or did not."""

    name: str
    score: float
    reason: str
    details: tuple[str, ...] = ()


@dataclass
class Trial(ABC):
    """What is known of a trial, growing while it runs; at the end it is what a test or a debugger looks at."""

    id: TrialId
    task: Task
    folder: Path
    report: AgentReport | None = None
    record: TrialRecord | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def submission(self) -> Path:
        return self.folder / "submission"

    @abstractmethod
    def instruction(self, workspace: str) -> str:
        """What the agent reads; `workspace` is where it finds itself."""

    def lay_out_start(self, game: Path) -> None:
        """What the agent finds in its project folder. Nothing, where games are made from scratch."""
        game.mkdir()

    @abstractmethod
    def lay_out_reference(self, machine: Machine, game: Path) -> None:
        """The task's own solution, in a folder that does not exist yet."""

    @abstractmethod
    def check_ready(self, tools: Tools) -> None:
        """Before an agent is set to work: raises InfrastructureError if nothing could be scored anyway."""

    @abstractmethod
    def score(self, tools: Tools, start: Stage) -> None:
        """All stages after production, from `start` on."""

    @abstractmethod
    def fill(self, record: TrialRecord, tools: Tools) -> TrialRecord:
        """Add what this track knows to a record that is void so far."""

    @abstractmethod
    def checks(self) -> tuple[Check, ...]:
        """Its sub-assertions, once it is scored."""

    @contextmanager
    def timed(self, tools: Tools, stage: str) -> Iterator[None]:
        """Tell that a stage begins, and keep how long it took."""
        tools.on_stage(stage)
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds[stage] = round(time.monotonic() - began, 3)

    def require_submission(self) -> Path:
        if not self.submission.is_dir():
            raise InfrastructureError(f"{self.submission} is not there", fix="run the trial again from the start")
        return self.submission

    def read(self, name: str) -> dict[str, Any]:
        """What an earlier stage left in the trial's folder."""
        path = self.folder / name
        try:
            return dict(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise InfrastructureError(f"{path} cannot be read: {error}", fix="run the trial from the start") from error


@dataclass(frozen=True)
class StoredTrial:
    """A trial that was settled before, as its run keeps it. Nothing is computed again."""

    id: TrialId
    task: Task
    folder: Path
    record: TrialRecord
    said: tuple[Check, ...]
    evidence: tuple[DemoEvidence, ...] = ()

    def checks(self) -> tuple[Check, ...]:
        return self.said


def new_trial(trial: TrialId, task: Task, folder: Path) -> Trial:
    """Of the task's track."""
    made: Trial = _track(task).begin(trial, task, folder)
    return made


def stored_trial(task: Task, folder: Path, record: TrialRecord) -> StoredTrial:
    """From its record, which is the truth; reasons and evidence where its folder still has those of this record."""
    bare = tuple(Check(name, score, "") for name, score in record.items.items())
    stored = StoredTrial(record.id, task, folder, record, bare)
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, BenchmarkError):
        if TrialRecord.from_line((folder / TRIAL_FILE).read_text(encoding="utf-8")) == record:
            stored = replace(stored, said=_track(task).stored_checks(folder, record))
            stored = replace(stored, evidence=_track(task).stored_evidence(folder))
    return stored


def input_versions(task: Task, agent: Agent) -> dict[str, str]:
    """What is asked of whom, by hash. Cheap: nothing is started. Raises TaskError for a package that cannot be read."""
    versions: dict[str, str] = _track(task).task_versions(task, solution=agent.name == "oracle")
    return {"agent": agent.version, **versions}


def _track(task: Task) -> Any:
    return importlib.import_module(f"benchmark.{task.track}.trial")


def run_trial(trial: TrialId, task: Task, agent: Agent, tools: Tools, folder: Path, start: Stage = "produce") -> Trial:
    """Run the stages from `start` on. A failure of the harness becomes a void record, never a number."""
    began = now()
    state = new_trial(trial, task, folder)
    folder.mkdir(parents=True, exist_ok=True)
    reason = ""
    inputs = {"agent": agent.version}
    try:
        inputs = input_versions(task, agent)
        state.check_ready(tools)
        if start == "produce":
            with state.timed(tools, "produce"):
                _produce(state, agent, tools)
        else:
            state.report = AgentReport(**state.read("agent.json"))
            inputs |= _produced_with(folder)
        state.score(tools, start)
    except (BenchmarkError, OSError, MemoryError) as error:
        reason = one_line(f"{getattr(error, 'message', None) or error or type(error).__name__}")
    record = state.fill(_void(state, agent, tools, reason, inputs), tools)
    if reason:  # whatever was known by then, it is not a result
        record = replace(
            record, outcome="void", reason=reason, build=None, launches=None, has_trace=None, score=None, items={},
            categories={},
        )  # fmt: skip
    state.record = replace(record, started=began, finished=now())
    with contextlib.suppress(OSError):  # the disk may be what failed; the run store says so too
        write_json(folder / TRIAL_FILE, asdict(state.record))
    return state


def _produce(state: Trial, agent: Agent, tools: Tools) -> None:
    for old in state.folder.iterdir():  # what an earlier try at this trial left
        if old.is_dir() and old.name != "workspace":
            shutil.rmtree(old, ignore_errors=True)
    with tools.workspace() as workspace:
        instruction = lay_out_workspace(workspace, tools.machine, state.instruction, state.lay_out_start)
        (state.folder / INSTRUCTION).write_text(instruction, encoding="utf-8")
        log = state.folder / "agent.log"
        log.touch()
        timeout = state.task.agent_timeout_sec
        reference = partial(state.lay_out_reference, tools.machine)
        assignment = Assignment(state.task, workspace, instruction, timeout, log, reference)
        state.report = agent.work(assignment)
        take_submission(workspace / "game", state.submission)
    write_json(state.folder / "agent.json", asdict(state.report))


def _produced_with(folder: Path) -> dict[str, str]:
    """A later stage done again does not change what the agent was asked, nor which agent it was."""
    with contextlib.suppress(OSError, ValueError):
        versions = TrialRecord.from_line((folder / TRIAL_FILE).read_text(encoding="utf-8")).versions
        return {kind: versions[kind] for kind in PRODUCED_WITH if versions.get(kind)}
    return {}


def _void(state: Trial, agent: Agent, tools: Tools, reason: str, inputs: dict[str, str]) -> TrialRecord:
    """What is known of every trial."""
    task, report = state.task, state.report
    return TrialRecord(
        task=state.id.task, agent=state.id.agent, attempt=state.id.attempt, family=task.family,
        difficulty=task.difficulty, outcome="void", reason=reason,
        labels={**task.labels, "feedback": agent.feedback}, variant_of=task.variant_of,
        agent_ended=report.ended if report else "", cost_usd=report.cost_usd if report else 0.0, seconds=state.seconds,
        versions={"harness": __version__, "engine": tools.machine.engine.version, **inputs},
    )  # fmt: skip
