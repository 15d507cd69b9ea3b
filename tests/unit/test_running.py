"""A trial from beginning to end: whatever fails in it ends as a void record, and a record is made once."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest

from benchmark.agents.builtin import NopAgent
from benchmark.agents.protocol import Agent, AgentReport
from benchmark.errors import InfrastructureError, TaskError
from benchmark.running import TRACEBACK_FILE, TRIAL_FILE, Check, Result, Tools, Trial, run_trial
from benchmark.tasks import Task
from benchmark.tracks import Options, Packages, Track, Trials, all_tracks
from benchmark.trials import Stage, TrialId, TrialRecord

STEPS = ("begin", "versions", "settings", "check_ready", "produce", "score", "describe", "result")
Fail = Callable[[str], None]


@dataclass
class StubbornTrial(Trial):
    """Each step first calls `fail` with its name."""

    fail: Fail = field(kw_only=True)
    outcome: Result = field(kw_only=True)

    def check_ready(self, tools: Tools) -> None:
        self.fail("check_ready")

    def produce(self, agent: Agent, tools: Tools) -> None:
        self.fail("produce")
        self.report = AgentReport("finished")

    def score(self, tools: Tools, start: Stage) -> None:
        self.fail("score")

    def describe(self, record: TrialRecord, tools: Tools) -> TrialRecord:
        self.fail("describe")
        return replace(record, judge="a rule")

    def result(self) -> Result:
        self.fail("result")
        return self.outcome

    def checks(self) -> tuple[Check, ...]:
        return ()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., TrialRecord]:
    """`run("score", error)` runs a trial in which that step raises; returns its record."""

    def go(step: str = "", error: BaseException | None = None, outcome: Result | None = None) -> TrialRecord:
        def fail(name: str) -> None:
            if name == step and error is not None:
                raise error

        def begin(trial: TrialId, task: Task, folder: Path) -> Trial:
            fail("begin")
            return StubbornTrial(trial, task, folder, fail=fail, outcome=outcome or Result(score=0.5))

        def versions(task: Task, solution: bool) -> dict[str, str]:
            fail("versions")
            return {"rubric": "r"}

        def of_settings(settings: Any) -> dict[str, str]:
            fail("settings")
            return {"speed": "slow"}

        track = Track(
            name="stubborn",
            about="trials that fail",
            families={},
            packages=Packages(lint=lambda folder: ()),
            trials=Trials(begin=begin, versions=versions, checks=lambda folder, record: ()),
            options=Options(add=lambda group: None, read=lambda told: None, versions=of_settings),
        )
        monkeypatch.setitem(cast(dict[str, Track], all_tracks()), track.name, track)
        task = Task(
            track=track.name, family="f", slug="s", difficulty="easy", folder=tmp_path, agent_timeout_sec=1,
            verifier_timeout_sec=1,
        )  # fmt: skip
        tools = Tools(engine=None, settings=None, judges=(), workspace=lambda: pytest.fail("not asked for"))
        done = run_trial(TrialId(task.id, "nop"), task, NopAgent(), tools, tmp_path / "trial")
        assert done.record is not None
        kept = (tmp_path / "trial" / TRIAL_FILE).read_text(encoding="utf-8")
        assert TrialRecord.from_line(json.dumps(json.loads(kept))) == done.record
        return done.record

    return go


def test_what_goes_well_is_scored(run: Callable[..., TrialRecord]) -> None:
    record = run()
    assert (record.outcome, record.score, record.judge) == ("scored", 0.5, "a rule")
    assert record.versions.items() >= {"rubric": "r", "speed": "slow"}.items()


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    "error",
    [
        InfrastructureError("no display"),
        TaskError("rubric.toml: bad"),
        OSError(28, "full"),
        KeyError("demo"),
        MemoryError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_step_fails_the_record_is_void(
    step: str, error: Exception, run: Callable[..., TrialRecord], tmp_path: Path
) -> None:
    record = run(step, error)
    assert (record.outcome, record.score, record.items) == ("void", None, {})
    assert record.reason
    assert (tmp_path / "trial" / TRACEBACK_FILE).exists() == isinstance(error, KeyError)


@pytest.mark.parametrize(
    "outcome", [Result(score=1.5), Result(score=float("nan")), Result(score=0.5, items={"M1": 7.0})], ids=str
)
def test_a_number_that_cannot_be_is_void_from_the_beginning(outcome: Result, run: Callable[..., TrialRecord]) -> None:
    """The run store would refuse the line; then the trial's own file must not call it scored."""
    assert run(outcome=outcome).outcome == "void"


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), SystemExit(3)], ids=lambda one: type(one).__name__)
def test_who_stops_the_run_stops_it(stop: BaseException, run: Callable[..., TrialRecord]) -> None:
    with pytest.raises(type(stop)):
        run("score", stop)
