"""What one pytest invocation knows: options, run, what is settled. The controller decides, workers are told."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from benchmark import __version__
from benchmark.errors import BenchmarkError, InfrastructureError, UsageError
from benchmark.judges.costs import SPEND_FILE, Budget
from benchmark.results.run_lock import Lock, share
from benchmark.results.store import RunStore, now, typical_seconds
from benchmark.runtime.tokens import CORES_VARIABLE, core_count
from benchmark.suite.collection import TrialSpec, plan_trials
from benchmark.suite.options import SuiteOptions, new_run_name, read_options
from benchmark.suite.resuming import Question, Resumed, question_maker, resume
from benchmark.tasks import Survey, Task, TaskError, survey_tasks
from benchmark.tracks import all_tracks
from benchmark.trials import TrialId, TrialRecord
from benchmark.versions import PRODUCED_WITH

KEY = pytest.StashKey["SuiteSession"]()
RECORD_KEY = pytest.StashKey[str]()
INPUT = "gamecraft"
MIN_FREE_BYTES = 16 << 20  # less than the folder of an ordinary trial takes: an agent would work in vain


@dataclass
class SuiteSession:
    """Made when pytest is configured. `resumed.settled` and `seconds` are the same in every worker."""

    options: SuiteOptions
    store: RunStore
    is_worker: bool
    parallel: int
    resumed: Resumed = field(default_factory=Resumed)
    known: frozenset[str] = frozenset()  # labels that this run has a record of
    said: list[str] = field(default_factory=list)  # when the run was taken
    seconds: dict[str, float] = field(default_factory=dict)
    _specs: tuple[TrialSpec, ...] | None = None
    met: bool = False  # whether the suite's test is among what pytest collects
    opened: bool = False
    parent: int | None = None  # of a worker: the process that holds the run, where it is known
    _shared: Lock | None = None
    retold: int = 0  # settled trials that were reported
    passed_over: int = 0  # trials that have nothing to be judged or scored again

    @property
    def specs(self) -> tuple[TrialSpec, ...]:
        """All trials of the invocation, found when first asked for."""
        if self._specs is None:
            self._specs = plan_trials(self.options, self._survey.tasks)
        return self._specs

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Those that can be used."""
        return self._survey.tasks

    @property
    def broken(self) -> tuple[TaskError, ...]:
        """Packages that cannot be used: their trials are missing from this run."""
        return self._survey.broken

    @cached_property
    def _survey(self) -> Survey:
        return survey_tasks(self.options.tasks)

    def wants(self, spec: TrialSpec) -> bool:
        """Whether this invocation has anything to do with a trial: run it, or tell how it was settled."""
        return not self.options.from_store or spec.id.label in self.known

    def is_settled(self, label: str) -> bool:
        return label in self.resumed.settled

    @cached_property
    def settled_records(self) -> dict[str, TrialRecord]:
        """Read when first asked for; nobody changes them while this invocation runs."""
        return {trial.label: one for trial, one in self.store.latest().items() if self.is_settled(trial.label)}

    def to_workers(self, *, are_children: bool) -> dict[str, Any]:
        """For `workerinput`: plain values only."""
        return {
            "run": str(self.store.folder),
            "settled": sorted(self.resumed.settled),
            "known": sorted(self.known),
            "seconds": self.seconds,
            "parent": os.getpid() if are_children else None,
        }

    def begin(self, *, only_listing: bool) -> None:
        """Take the run before a worker is started, and only then look at what it has. Raises UsageError.

        A run without a name of its own is nobody else's: it is taken when there are trials to run.
        """
        options = self.options
        if self.is_worker or options.run is None:
            return
        if options.from_store and not self.store.folder.is_dir():
            raise UsageError(f"--run: there is no run {options.run!r} in {options.runs_root}")
        if not only_listing:
            self.said = self.store.writing()
        records = {trial.label: record for trial, record in self.store.latest().items()}
        self.known = frozenset(records)
        scored = {label: record for label, record in records.items() if record.scored}
        if (scored or options.redo) and not options.from_store:
            with contextlib.suppress(TaskError):  # of a package that cannot be read, collection tells
                self.resumed = resume(options, self.specs, scored)

    def enter(self) -> None:
        """For whoever runs a trial, before it touches the run's folder. Raises InfrastructureError."""
        if self.is_worker and self._shared is None:
            try:
                self._shared = share(self.store.folder, self.parent)
            except OSError as error:
                raise InfrastructureError(f"{error.filename}: {error.strerror}") from error
        if self._shared is not None and not self._shared.is_real:
            raise InfrastructureError(f"{self.store.folder} was deleted or replaced while it was written")
        if shutil.disk_usage(self.store.folder).free < MIN_FREE_BYTES:
            raise InfrastructureError(
                f"less than {MIN_FREE_BYTES >> 20} MiB are free where {self.store.folder} is", fix="make room there"
            )

    def open(self) -> list[str]:
        """Tell in the run's folder what is about to run there. Controller only. Raises UsageError."""
        if self.opened or self.is_worker:
            return []
        self.opened = True
        said = [*self.said, *self.store.writing()]
        with self.store.writable():
            self._describe()
        return said

    def _describe(self) -> None:
        Budget(self.store.folder / SPEND_FILE).forget_promises()
        options = self.options
        self.store.describe(
            {
                "harness": __version__,
                "agents": {agent.name: agent.version for agent in options.agents},
                "judges": list(options.judges),
                "judge_repeats": options.judge_repeats,
                **_told(options),
                "updated": now(),
            }
        )
        with contextlib.suppress(OSError):
            link = self.store.folder.parent / "latest"
            if link.is_symlink() or not link.exists():
                link.unlink(missing_ok=True)
                link.symlink_to(self.store.folder.name)

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
            task=trial.task,
            agent=trial.agent,
            attempt=trial.attempt,
            family=family,
            difficulty=difficulty,
            outcome="void",
            reason=reason,
            judge=question.judge,
            versions=versions,
            started=now(),
            finished=now(),
        )


def _told(options: SuiteOptions) -> dict[str, str]:
    """What the tracks' own options said, as far as a number depends on it."""
    told: dict[str, str] = {}
    for name, track in all_tracks().items():
        told |= track.options.versions(options.settings[name]) if track.options else {}
    return told


def start_session(config: pytest.Config) -> SuiteSession:
    """Called once per process, when pytest is configured. Raises UsageError."""
    options = read_options(config)
    given: dict[str, Any] | None = getattr(config, "workerinput", {}).get(INPUT)
    if given is not None:
        os.environ[CORES_VARIABLE] = str(min(core_count(), _worker_count()))
        return SuiteSession(
            options=options,
            store=RunStore(Path(given["run"])),
            is_worker=True,
            parallel=_worker_count(),
            resumed=Resumed(frozenset(given["settled"])),
            known=frozenset(given["known"]),
            seconds=given["seconds"],
            parent=given["parent"],
        )
    folder = options.runs_root / (options.run or new_run_name())
    store = RunStore(folder.resolve() if folder.is_symlink() else folder)  # `--run latest`
    workers = config.getoption("numprocesses", None) or 0
    parallel = int(workers) if str(workers).isdigit() else 0
    return SuiteSession(options, store, False, parallel)


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
