"""Keeps what comes of trials in the run store, and tells whoever shows it. On the controller only."""

from pathlib import Path
from typing import Any, Protocol

import pytest

from benchmark.errors import BenchmarkError
from benchmark.suite.collection import label_of
from benchmark.suite.exitcode import RUN_UNWRITABLE
from benchmark.suite.session import SuiteSession
from benchmark.trials import TrialId, TrialRecord

RECORDER = "gamecraft-recorder"


class Listener(Protocol):
    """Who is told. What could not be kept is not told as if it were."""

    def say(self, text: str, **markup: bool) -> None: ...

    def begun(self, label: str, folder: Path) -> None: ...

    def kept(self, record: TrialRecord) -> None: ...

    def tell(self, record: TrialRecord) -> None: ...


class Recorder:
    """The only one that writes records of a run."""

    def __init__(self, here: SuiteSession, listener: Listener) -> None:
        self.here = here
        self.listener = listener
        self.retried: set[str] = set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        label = label_of(nodeid)
        if label is None or self.here.is_settled(label):
            return
        self.open_run()
        self.listener.begun(label, self.here.store.trial_folder(TrialId.from_label(label)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        label = label_of(report.nodeid)
        if label is None or isinstance(report, pytest.SubtestReport):
            return
        if self.here.is_settled(label):
            if report.when == "call":
                self.here.retold += 1
                self.listener.tell(self.here.settled_records[label])
            return
        line = getattr(report, "gamecraft_record", None)
        if report.when == "call" and line:
            record = TrialRecord.from_line(line)
            self.settle(record)
            if report.failed and not record.scored:
                report.longrepr = f"void: {record.reason}"  # a traceback through us explains nothing
        elif report.failed and report.when in ("setup", "call"):
            self.settle(self.here.void(label, f"harness error: {_first_line(report)}"))

    def worker_died(self, nodeid: str, report: Any, sched: Any) -> None:
        """Its trial is void. Once, it goes back to the queue."""
        label = label_of(nodeid)
        if label is None:
            return
        self.settle(self.here.void(label, "the worker died while it ran this trial"))
        if label not in self.retried:
            self.retried.add(label)
            try:
                sched.mark_test_pending(nodeid)
            except NotImplementedError:  # --dist loadscope, loadfile and each cannot; a resumed run tries it again
                return
            report.outcome = "rerun"
            self.listener.say(f"{label}: its worker died; trying once more", yellow=True)

    def open_run(self) -> None:
        """Before the first trial runs: tell in the run's folder what comes, or stop."""
        try:
            for line in self.here.open():
                self.listener.say(line, yellow=True)
        except BenchmarkError as error:
            pytest.exit(str(error), returncode=int(pytest.ExitCode.USAGE_ERROR))

    def settle(self, record: TrialRecord) -> None:
        """A trial is over: the store first, then the eyes."""
        self.open_run()
        try:
            self.here.store.append(record)
        except BenchmarkError as error:
            pytest.exit(str(error), returncode=RUN_UNWRITABLE)
        self.listener.kept(record)


def _first_line(report: Any) -> str:
    crash = getattr(getattr(report.longrepr, "reprcrash", None), "message", None)
    text = str(crash or report.longrepr).strip()
    return text.splitlines()[0] if text else "failed"
