"""What the user sees while trials run and at the end. On the controller only."""

import time
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from benchmark.errors import BenchmarkError
from benchmark.redaction import redact
from benchmark.results.averages import by_track, metrics_of
from benchmark.results.judging import judge_lines
from benchmark.results.store import RUNS_ROOT, RunStore
from benchmark.suite.collection import label_of, left_out, why_no_trials
from benchmark.suite.doing import RunProgress, heartbeat_line, running, running_line
from benchmark.suite.exitcode import run_records, verdicts
from benchmark.suite.live import Heartbeat, LiveLine, own_stdout
from benchmark.suite.recorder import Recorder
from benchmark.suite.session import KEY, SuiteSession, remember_seconds
from benchmark.text import duration
from benchmark.trials import TrialRecord
from benchmark.versions import NOTED

VIEW = "gamecraft-view"
_NAMED = f"pytest {Path(__file__).parent} …"  # what a user types outside the repository


class View:
    """Tells of trials on the terminal. What is kept of them is the recorder's."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.here: SuiteSession = config.stash[KEY]
        self.recorder = Recorder(self.here, self)
        self.labels: set[str] = set()
        self.left: set[str] = set()  # of those, what is neither settled nor finished
        self.listed = 0  # settled trials among what --collect-only lists
        self.done: dict[str, TrialRecord] = {}
        self.spoken = False
        self.started: dict[str, tuple[float, Path]] = {}
        self.live: LiveLine | Heartbeat | None = None
        self.began = time.monotonic()

    @property
    def terminal(self) -> Any:
        return self.config.pluginmanager.get_plugin("terminalreporter")

    def say(self, text: str, **markup: bool) -> None:
        """A line of our own among pytest's."""
        text = redact(text)
        terminal = self.terminal
        if terminal is not None:
            self.end_line()
            if self.live is not None:
                self.live.above(lambda: terminal.line(text, **markup))
            else:
                terminal.line(text, **markup)

    def end_line(self) -> None:
        """pytest may have begun one with the file's name."""
        if self.terminal.currentfspath is not None and not self.spoken:
            self.spoken = True
            self.terminal.line("")

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        if not self.labels:
            self.expect(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        nodeids = [item.nodeid for item in session.items]
        if not self.config.option.collectonly:
            self.expect(nodeids)
        else:
            self.listed = sum(self.here.is_settled(label_of(nodeid) or "") for nodeid in nodeids)

    def expect(self, nodeids: list[str]) -> None:
        """These are about to run: say how long it will take, if earlier runs tell."""
        self.labels = {label for nodeid in nodeids if (label := label_of(nodeid)) is not None}
        self.left = {label for label in self.labels if not self.here.is_settled(label)}
        if not self.labels:
            return
        self.check_gate()
        if not self.left:
            return
        self.recorder.open_run()  # what cannot be written is told before anybody works
        if not self.here.seconds:
            remember_seconds(self.here)
        self.estimate_cost()
        expected = self.seconds_left()
        if expected > 5 and self.config.get_verbosity() >= 0:
            self.say(f"by earlier runs this takes about {duration(expected)}")

    def check_gate(self) -> None:
        """A condition that no run of these trials could answer is refused before hours of work, not after them."""
        gate = self.here.options.gate
        if gate is None:
            return
        from benchmark.results.release_gate import check_tracks  # brings NumPy

        try:
            settled = [record.id.label for record in run_records(self.here)]
            check_tracks(gate, [label.partition("/")[0] for label in (*self.labels, *settled)])
        except BenchmarkError as error:
            pytest.exit(str(error), returncode=int(pytest.ExitCode.USAGE_ERROR))

    def estimate_cost(self) -> None:
        """What a priced model will take for this, before it takes it."""
        options = self.here.options
        models = [judge.partition(":")[2] for judge in options.judges if judge.startswith("openai:")]
        if self.config.get_verbosity() < 0:
            return
        for model in models:
            self._estimate_cost(model, options.judge_repeats)

    def _estimate_cost(self, model: str, repeats: int) -> None:
        from benchmark.judges.costs import TYPICAL_TRIAL, price_of

        price = price_of(model)
        if price is None:
            self.say(f"the price of {model} is not known; what it costs is not counted", yellow=True)
        else:
            usd = price.of(*TYPICAL_TRIAL) * len(self.left) * repeats
            trials = f"{len(self.left)} trial(s){f' {repeats} times' if repeats > 1 else ''}"
            self.say(f"judging {trials} with {model} costs about ${usd:.2f}, if each has five demos")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        output = getattr(node, "workeroutput", None) or {}
        self.here.met |= output.get("gamecraft_met", False)
        self.here.passed_over = max(self.here.passed_over, output.get("gamecraft_passed_over", 0))

    def begun(self, label: str, folder: Path) -> None:
        """A trial has begun that is not settled."""
        self.started[label] = (time.monotonic(), folder)
        wanted = self.terminal is not None and self.config.get_verbosity() >= 0
        if self.live is None and wanted and not self.config.getoption("usepdb"):
            self.end_line()
            stream = own_stdout()
            on_screen = self.terminal.isatty
            self.live = LiveLine(stream, self.live_line) if on_screen else Heartbeat(stream, self.heartbeat)
            self.live.start()

    def kept(self, record: TrialRecord) -> None:
        """A trial is over and its record is in the run."""
        self.started.pop(record.id.label, None)
        self.left.discard(record.id.label)
        self.tell(record)

    def live_line(self, columns: int) -> str:
        """What runs now, and how long all of it will take."""
        left = self.seconds_left()
        return redact(running_line(running(dict(self.started)), f" · {duration(left)} left" if left else "", columns))

    def heartbeat(self) -> str:
        """How far the run is. Trials that were settled before are no part of it."""
        done = [one for label, one in list(self.done.items()) if not self.here.is_settled(label)]
        said = [
            f"{track.name} {fmean(one.score or 0.0 for one in own if one.scored):.3f}"
            for track, own in by_track(done)
            if any(one.scored for one in own)
        ]
        said += [f"{void} void"] if (void := sum(not one.scored for one in done)) else []
        progress = RunProgress(
            elapsed_sec=time.monotonic() - self.began, done=len(self.done), total=len(self.labels),
            scores=", ".join(said), spent_usd=sum(one.cost_usd for one in done), left_sec=self.seconds_left(),
        )  # fmt: skip
        return redact(heartbeat_line(running(dict(self.started)), progress))

    def tell(self, record: TrialRecord) -> None:
        """One line for a trial that is over, now or before."""
        self.done[record.id.label] = record
        if self.config.get_verbosity() >= 0:
            self.say(self.progress_line(record), **_colour(record))

    def progress_line(self, record: TrialRecord) -> str:
        total = len(self.labels)
        number = f"{record.score:.3f}" if record.score is not None else "void "
        parts = metrics_of(record).progress(record) if record.scored else ""
        line = f"[{len(self.done):{len(str(total))}}/{total}] {record.id.label}  {number}  "
        line += parts or record.reason[:90]
        if self.here.is_settled(record.id.label):
            return f"{line}  settled before"
        spent = sum(one.cost_usd for label, one in self.done.items() if not self.here.is_settled(label))
        line += f"  {record.total_sec:.{int(record.total_sec < 10)}f} s"
        if spent:
            line += f"  ${spent:.2f}"
        left = self.seconds_left()
        return line + (f"  {duration(left)} left" if left else "")

    def seconds_left(self) -> float:
        """From what the trials that are left took before, else from those that are done; 0 if nothing is known."""
        known = self.here.seconds
        measured = list(known.values()) or [record.total_sec for record in self.done.values()]
        if not measured:
            return 0.0
        typical = sum(measured) / len(measured)
        now = time.monotonic()
        left = 0.0
        for label in self.left:
            since = self.started[label][0] if label in self.started else now
            expected = known.get(label, typical)
            left += max(expected - (now - since), min(expected, 1.0))
        return left / max(self.here.parallel, 1)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, str] | None:
        """Our own line replaces pytest's letter for a trial, except when quiet."""
        if label_of(report.nodeid) is None:
            return None
        if isinstance(report, pytest.SubtestReport):  # the trial's own report lists them all
            return ("subtests failed", "", "") if report.failed else ("", "", "")
        if self.config.get_verbosity() < 0:
            return None
        if getattr(report, "outcome", "") == "rerun":
            return "rerun", "", ""
        if report.when == "call":
            void = getattr(self.done.get(label_of(report.nodeid) or ""), "outcome", "") == "void"
            return ("void" if void else report.outcome), "", ("VOID" if void else report.outcome.upper())
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        if self.live is not None:
            self.live.stop()
            self.live = None

    def pytest_report_header(self) -> list[str]:
        options = self.here.options
        agents = ", ".join(agent.name for agent in options.agents)
        judges = ", ".join(options.judges) + (f" ×{options.judge_repeats}" if options.judge_repeats > 1 else "")
        return [f"gamecraft: agents {agents}; judge {judges}; run {self.here.store.folder}"]

    def pytest_terminal_summary(self, terminalreporter: Any, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and (why := self.why_nothing()):
            terminalreporter.write_line(why)
        for error in self.here.broken if self.here.met else ():
            terminalreporter.write_line(f"broken package, left out: {error}", red=True)
        if self.listed:
            terminalreporter.write_line(f"{self.listed} of these are settled in this run: they would be told, not run")
        if not self.done:
            return
        terminalreporter.section("scores", sep="=")
        for line in summary_lines(run_records(self.here), self.here):
            terminalreporter.write_line(redact(line))
        if missed := sorted(self.here.resumed.redone - self.done.keys()):
            said = (
                f"{len(missed)} trial(s) were to run again (--redo) but did not; their old results count: {missed[0]}"
            )
            terminalreporter.write_line(said + (", …" if missed[1:] else ""), yellow=True)

    def why_nothing(self) -> str:
        """Where trials were asked for and pytest found nothing to run. What -k and -m deselect, it says itself."""
        given, here = self.config.option, self.here
        if not here.met:
            where = self.config.invocation_params.dir
            asked = any((given.tasks, given.agent, given.run, given.track))
            return f"no trials: the suite is not in what pytest looks at in {where}; name it: {_NAMED}" if asked else ""
        if here.passed_over:
            return f"no trials: run {here.store.name!r} has no record of any of them that could be taken up again"
        try:
            return "" if here.specs else why_no_trials(here.options, here.tasks)
        except BenchmarkError:  # collection told already
            return ""


def summary_lines(records: list[TrialRecord], here: SuiteSession) -> list[str]:
    """The tables at the end, one for each track."""
    lines = [line for track, own in by_track(records) for line in track.metrics(track).lines(own)]
    lines += judge_lines(records)
    if any(record.proxy for record in records):
        lines.append("scores by the offline judge are a proxy: good for regressions, not for a leaderboard")
    if here.retold:
        lines.append(f"{here.retold} trial(s) were settled in this run before: told from its records, not run again")
    lines += [*left_out(here.options, here.tasks), *here.resumed.notes, *_mixed_lines(records)]
    void = [record for record in records if not record.scored]
    lines += [f"void: {record.id.label}: {record.reason}" for record in void[:10]]
    if void:
        lines.append(f"{len(void)} void trial(s); the same command with --run {here.store.name} tries them again")
    for verdict in verdicts(records, here):
        lines += [f"{verdict.agent}: {line}" for line in verdict.lines]
    lines.append(f"report: python -m benchmark report {_shortest(here.store)}")
    return lines


def _mixed_lines(records: list[TrialRecord]) -> list[str]:
    """What may differ inside a run without making its trials others, and should be known all the same."""
    lines = []
    for kind in NOTED:
        found = Counter(version for one in records if one.scored and (version := one.versions.get(kind)))
        if len(found) > 1:
            each = ", ".join(f"{version} ({count} trials)" for version, count in sorted(found.items()))
            lines.append(f"note: this run was made with more than one {kind}: {each}")
    return lines


def _shortest(store: RunStore) -> str:
    return store.name if store.folder.parent == RUNS_ROOT.absolute() else str(store.folder)


def _colour(record: TrialRecord) -> dict[str, bool]:
    if not record.scored:
        return {"yellow": True}
    return {"green": True} if (record.score or 0.0) >= 0.5 else {"red": True}
