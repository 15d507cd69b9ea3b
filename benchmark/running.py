"""One trial from beginning to end, whatever its track. Knows nothing of pytest.

A track says what an agent is given, what is done with what it left, and what goes into the record. Each stage owns
a part of the trial's folder, and can be taken up again from what the stages before it left there.
"""

import contextlib
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmark import __version__
from benchmark.agents.protocol import Agent, AgentReport, sane
from benchmark.errors import BenchmarkError, InfrastructureError
from benchmark.files import remove_tree, write_json, write_whole
from benchmark.limits import STORED_BYTES
from benchmark.results.store import now
from benchmark.runtime.machine import Machine
from benchmark.tasks import Task
from benchmark.tracks import track_of
from benchmark.trials import OpinionRecord, Stage, TrialId, TrialRecord, one_line
from benchmark.untrusted import read_json, read_utf8
from benchmark.versions import OF_A_CONFTEST, PRODUCED_WITH

TRIAL_FILE = "trial.json"  # the record, in the trial's folder
AGENT_FILE = "agent.json"  # how the agent ended, and the digest of what it handed in: written when all of it is there
TRACEBACK_FILE = "traceback.txt"


@dataclass(frozen=True)
class Tools:
    """What a trial is run with. `workspace` gives the agent's folder, and takes it away afterwards."""

    engine: Machine | None  # none where the track needs none
    settings: Any  # what the track's own options said, or the fixture of a conftest.py in their place
    judges: tuple[Any, ...]  # of the track; the first one's scores count
    workspace: Callable[[], AbstractContextManager[Path]]
    repeats: int = 1  # how often each judge is asked
    jobs: int | None = None  # demos drawn at once
    fresh: bool = False  # past every cache
    settings_overridden: bool = False
    on_stage: Callable[[str], None] = lambda _: None

    @property
    def machine(self) -> Machine:
        """The engine, for tracks that say that they need one."""
        if self.engine is None:
            raise InfrastructureError("there is no engine", fix="the track must name `engine` among its needs")
        return self.engine


@dataclass(frozen=True)
class Check:
    """One sub-assertion of a trial: a rubric item with its score, or a check of a test that held or did not."""

    name: str
    score: float
    reason: str
    details: tuple[str, ...] = ()
    title: str = ""  # in place of name and score
    decides_all: bool = False  # if it is missed, there is nothing else to look at: a game that was not built


@dataclass(frozen=True)
class Result:
    """What a scored trial adds to its record. `facts` are the track's own, as JSON has them."""

    score: float
    reason: str = ""
    categories: dict[str, float] = field(default_factory=dict)
    items: dict[str, float] = field(default_factory=dict)
    opinions: tuple[OpinionRecord, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass
class Trial(ABC):
    """What is known of a trial, growing while it runs; at the end it is what a test or a debugger looks at."""

    id: TrialId
    task: Task
    folder: Path
    report: AgentReport | None = None
    record: TrialRecord | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    handed_in: str | None = None  # the digest of a stored submission, empty where an older version kept none

    def check_ready(self, tools: Tools) -> None:  # noqa: B027 - most have nothing to check
        """Before an agent is set to work: raises InfrastructureError if nothing could be scored anyway."""

    @abstractmethod
    def produce(self, agent: Agent, tools: Tools) -> None:
        """Set the agent to work, keep what it left in the trial's folder, and its report in `report`."""

    def handed_over(self) -> str:
        """A digest of what the agent left, kept with its report: a later stage wants the same."""
        return ""

    def taken_up(self, digest: str) -> None:  # noqa: B027 - most have nothing to check
        """Before a later stage is done again: raises InfrastructureError if what the agent left is not as it was."""

    @abstractmethod
    def score(self, tools: Tools, start: Stage) -> None:
        """All stages after production, from `start` on."""

    def describe(self, record: TrialRecord, tools: Tools) -> TrialRecord:
        """Add what this track knows of any trial, also of a void one: who judges, what the number depends on."""
        return record

    @abstractmethod
    def result(self) -> Result:
        """What came of it, once it is scored."""

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

    def read(self, name: str) -> dict[str, Any]:
        """What an earlier stage left in the trial's folder."""
        path = self.folder / name
        try:
            return dict(read_json(path, STORED_BYTES))
        except (OSError, ValueError, TypeError) as error:
            raise InfrastructureError(f"{path} cannot be read: {error}", fix="run the trial from the start") from error


@dataclass(frozen=True)
class StoredTrial:
    """A trial that was settled before, as its run keeps it. Nothing is computed again."""

    id: TrialId
    task: Task
    folder: Path
    record: TrialRecord
    said: tuple[Check, ...]
    evidence: tuple[Any, ...] = ()

    def checks(self) -> tuple[Check, ...]:
        return self.said


@dataclass
class _UnbegunTrial(Trial):
    """Its package could not even be read: there is a void record, and nothing else."""

    def produce(self, agent: Agent, tools: Tools) -> None:
        raise NotImplementedError

    def score(self, tools: Tools, start: Stage) -> None:
        raise NotImplementedError

    def result(self) -> Result:
        raise NotImplementedError

    def checks(self) -> tuple[Check, ...]:
        return ()


def new_trial(trial: TrialId, task: Task, folder: Path) -> Trial:
    """Of the task's track."""
    return track_of(task.track).trials.begin(trial, task, folder)


def stored_trial(task: Task, folder: Path, record: TrialRecord) -> StoredTrial:
    """From its record, which is the truth; reasons and evidence where its folder still has those of this record."""
    bare = tuple(Check(name, score, "") for name, score in record.items.items())
    stored = StoredTrial(id=record.id, task=task, folder=folder, record=record, said=bare)
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, BenchmarkError):
        if TrialRecord.from_line(read_utf8(folder / TRIAL_FILE, STORED_BYTES)) == record:
            trials = track_of(task.track).trials
            stored = replace(stored, said=trials.checks(folder, record))
            stored = replace(stored, evidence=tuple(trials.evidence(folder)))
    return stored


def input_versions(task: Task, agent: Agent) -> dict[str, str]:
    """What is asked of whom, by hash. Cheap: nothing is started. Raises TaskError for a package that cannot be read."""
    return {"agent": agent.version, **track_of(task.track).trials.versions(task, agent.name == "oracle")}


def run_trial(trial: TrialId, task: Task, agent: Agent, tools: Tools, folder: Path, start: Stage = "produce") -> Trial:
    """Run the stages from `start` on. A failure of the harness becomes a void record, never a number.

    The record is made once. One that the run store could not read back is a failure like any other.
    """
    began = now()
    state: Trial = _UnbegunTrial(trial, task, folder)
    versions = {"agent": agent.version}
    record: TrialRecord | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        state = new_trial(trial, task, folder)
        versions = {**input_versions(task, agent), **_settings_versions(task, tools)}
        state.check_ready(tools)
        if start == "produce":
            with state.timed(tools, "produce"):
                _produce(state, agent, tools)
        else:
            left = state.read(AGENT_FILE)
            state.taken_up(str(left.pop("submission", "")))
            state.report = AgentReport(**left)
            versions |= _produced_with(folder)
        state.score(tools, start)
        result = state.result()
        record = replace(
            state.describe(_common(state, agent, tools, versions), tools), outcome="scored", reason=result.reason,
            score=result.score, categories=result.categories, items=result.items, opinions=result.opinions,
            facts=result.facts, started=began, finished=now(),
        )  # fmt: skip
        TrialRecord.from_line(record.to_line())  # raises for what a judge of a conftest may have come up with
    except Exception as error:
        record = _void(state, _common(state, agent, tools, versions), tools, _reason(error, folder))
        record = replace(record, started=began, finished=now())
    state.record = record
    with contextlib.suppress(OSError):  # the disk may be what failed; the run store says so too
        write_json(folder / TRIAL_FILE, asdict(record))
    return state


def _reason(error: Exception, folder: Path) -> str:
    """In one line. What nobody expected is a bug of ours: the other trials go on, and this one keeps its traceback."""
    if isinstance(error, BenchmarkError | OSError | MemoryError):
        return one_line(getattr(error, "message", "") or str(error) or type(error).__name__)
    with contextlib.suppress(OSError):
        write_whole(folder / TRACEBACK_FILE, "".join(traceback.format_exception(error)))
    return one_line(f"unexpected {type(error).__name__}: {error} (see {TRACEBACK_FILE})")


def _void(state: Trial, common: TrialRecord, tools: Tools, reason: str) -> TrialRecord:
    """Whatever was known by then, it is not a result. What failed may be the track's own description."""
    void = replace(common, outcome="void", reason=reason)
    with contextlib.suppress(Exception):
        return TrialRecord.from_line(state.describe(void, tools).to_line())
    return void


def _produce(state: Trial, agent: Agent, tools: Tools) -> None:
    (state.folder / AGENT_FILE).unlink(missing_ok=True)  # it vouches for the submission that goes now
    for old in state.folder.iterdir():  # what an earlier try at this trial left
        if old.is_dir() and old.name != "workspace":
            remove_tree(old)
    state.produce(agent, tools)
    assert state.report is not None
    state.report = sane(state.report)
    write_json(state.folder / AGENT_FILE, {**asdict(state.report), "submission": state.handed_over()})


def _produced_with(folder: Path) -> dict[str, str]:
    """A later stage done again does not change what the agent was asked, nor which agent it was."""
    with contextlib.suppress(OSError, ValueError):
        versions = TrialRecord.from_line(read_utf8(folder / TRIAL_FILE, STORED_BYTES)).versions
        return {kind: versions[kind] for kind in PRODUCED_WITH if versions.get(kind)}
    return {}


def _settings_versions(task: Task, tools: Tools) -> dict[str, str]:
    """What the track's own options said, as far as the number depends on it."""
    options = track_of(task.track).options
    told = options.versions(tools.settings) if options else {}
    return {kind: f"{value}{OF_A_CONFTEST}" for kind, value in told.items()} if tools.settings_overridden else told


def _common(state: Trial, agent: Agent, tools: Tools, versions: dict[str, str]) -> TrialRecord:
    """What is known of every trial."""
    task, report = state.task, state.report
    engine = {"engine": tools.engine.engine.version} if tools.engine else {}
    activity = dict(report.activity) if report else {}
    if report and report.cost_usd:
        activity["cost_usd"] = report.cost_usd  # of the agent alone; a track may add what its judges cost to the other
    return TrialRecord(
        task=state.id.task, agent=state.id.agent, attempt=state.id.attempt, family=task.family,
        difficulty=task.difficulty, outcome="void",
        labels={**task.labels, "feedback": agent.feedback}, variant_of=task.variant_of,
        agent_ended=report.ended if report else "", agent_identity=report.identity if report else {},
        activity=activity, cost_usd=report.cost_usd if report else 0.0, seconds=state.seconds,
        versions={"harness": __version__, **engine, **versions},
    )  # fmt: skip
