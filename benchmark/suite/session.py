"""What one pytest invocation knows: options, run, what is settled. The controller decides, workers are told."""

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from benchmark import __version__
from benchmark.errors import BenchmarkError, InfrastructureError, UsageError
from benchmark.judges.model.costs import SPEND_FILE, Budget
from benchmark.results.store import RunStore, now, typical_seconds
from benchmark.runtime.tokens import CORES_VARIABLE, core_count
from benchmark.suite.collection import TrialSpec, plan_trials
from benchmark.suite.options import SuiteOptions, new_run_name, read_options
from benchmark.suite.resuming import Question, Resumed, question_maker, resume
from benchmark.tasks import TaskError
from benchmark.trials import TrialId, TrialRecord
from benchmark.versions import PRODUCED_WITH

KEY = pytest.StashKey["SuiteSession"]()
RECORD_KEY = pytest.StashKey[str]()
INPUT = "gamecraft"


@dataclass
class SuiteSession:
    """Made when pytest is configured. `resumed.settled` and `seconds` are the same in every worker."""

    options: SuiteOptions
    store: RunStore
    is_worker: bool
    parallel: int
    resumed: Resumed = field(default_factory=Resumed)
    known: frozenset[str] = frozenset()  # labels that this run has a record of
    seconds: dict[str, float] = field(default_factory=dict)
    _specs: tuple[TrialSpec, ...] | None = None
    met: bool = False  # whether the suite's test is among what pytest collects
    opened: bool = False
    retold: int = 0  # settled trials that were reported
    passed_over: int = 0  # trials that have nothing to be judged or scored again

    @property
    def specs(self) -> tuple[TrialSpec, ...]:
        """All trials of the invocation, found when first asked for."""
        if self._specs is None:
            self._specs = plan_trials(self.options)
        return self._specs

    def wants(self, spec: TrialSpec) -> bool:
        """Whether this invocation has anything to do with a trial: run it, or tell how it was settled."""
        return not self.options.from_store or spec.id.label in self.known

    def is_settled(self, label: str) -> bool:
        return label in self.resumed.settled

    @cached_property
    def settled_records(self) -> dict[str, TrialRecord]:
        """Read when first asked for; nobody changes them while this invocation runs."""
        return {trial.label: one for trial, one in self.store.latest().items() if self.is_settled(trial.label)}

    def to_workers(self) -> dict[str, Any]:
        """For `workerinput`: plain values only."""
        return {
            "run": str(self.store.folder),
            "settled": sorted(self.resumed.settled),
            "known": sorted(self.known),
            "seconds": self.seconds,
        }

    def open(self) -> list[str]:
        """Become the run's writer, when the first trial is about to run. Controller only."""
        if self.opened or self.is_worker:
            return []
        self.opened = True
        said = self.store.writing()
        Budget(self.store.folder / SPEND_FILE).forget_promises()
        options = self.options
        self.store.describe(
            {
                "harness": __version__,
                "agents": {agent.name: agent.version for agent in options.agents},
                "judges": list(options.judges),
                "judge_repeats": options.judge_repeats,
                "recorder": options.settings.recorder,
                "updated": now(),
            }
        )
        with contextlib.suppress(OSError):
            link = self.store.folder.parent / "latest"
            if link.is_symlink() or not link.exists():
                link.unlink(missing_ok=True)
                link.symlink_to(self.store.folder.name)
        return said

    def void(self, label: str, reason: str) -> TrialRecord:
        """A record for a trial that could not even say itself what went wrong."""
        trial = TrialId.from_label(label)
        spec = next((spec for spec in self.specs if spec.id == trial), None)
        family, difficulty = (spec.task.family, spec.task.difficulty) if spec else ("", "")
        question = Question(self.options.judges[0], {})
        with contextlib.suppress(BenchmarkError, OSError):
            question = question_maker(self.options)(spec) if spec else question
        versions = {"harness": __version__, **question.versions}
        if self.options.from_store and (earlier := self.store.latest().get(trial)):
            versions |= {kind: earlier.versions[kind] for kind in PRODUCED_WITH if kind in earlier.versions}
        return TrialRecord(
            trial.task, trial.agent, trial.attempt, family, difficulty, "void", reason, judge=question.judge,
            versions=versions, started=now(), finished=now(),
        )  # fmt: skip


def start_session(config: pytest.Config) -> SuiteSession:
    """Called once per process, when pytest is configured. Raises UsageError."""
    options = read_options(config)
    given: dict[str, Any] | None = getattr(config, "workerinput", {}).get(INPUT)
    if given is not None:
        os.environ[CORES_VARIABLE] = str(min(core_count(), _worker_count()))
        return SuiteSession(
            options, RunStore(Path(given["run"])), True, _worker_count(), Resumed(frozenset(given["settled"])),
            frozenset(given["known"]), given["seconds"],
        )  # fmt: skip
    folder = options.runs_root / (options.run or new_run_name())
    store = RunStore(folder.resolve() if folder.is_symlink() else folder)  # `--run latest`
    if options.from_store and not store.folder.is_dir():
        raise UsageError(f"--run: there is no run {options.run!r} in {options.runs_root}")
    records = {trial.label: record for trial, record in store.latest().items()} if options.run else {}
    workers = config.getoption("numprocesses", None) or 0
    parallel = int(workers) if str(workers).isdigit() else 0
    here = SuiteSession(options, store, False, parallel, known=frozenset(records))
    scored = {label: record for label, record in records.items() if record.scored}
    if (scored or options.redo) and not options.from_store:
        with contextlib.suppress(TaskError):  # of a package that cannot be read, collection tells
            here.resumed = resume(options, here.specs, scored)
    return here


def _worker_count() -> int:
    return int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


def remember_seconds(session: SuiteSession) -> None:
    """Look up how long trials took before. Only worth it where several run at once, or for an estimate."""
    known = typical_seconds(session.options.runs_root, (spec.id for spec in session.specs))
    session.seconds = {trial.label: value for trial, value in known.items()}


@contextmanager
def kept_workspace(inner: contextlib.AbstractContextManager[Path], keep_in: Path) -> Iterator[Path]:
    """A workspace of which a copy stays in the trial's folder."""
    from benchmark.projects.submission import take_submission

    with inner as folder:
        yield folder
        try:
            take_submission(folder, keep_in)
        except OSError as error:
            raise InfrastructureError(f"the workspace could not be kept: {error}") from error
