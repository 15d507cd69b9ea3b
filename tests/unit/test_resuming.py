"""Which settled trials would be others today, and how that is said."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.agents.command import CommandAgent
from benchmark.craft.record import GameFacts
from benchmark.errors import UsageError
from benchmark.replay.evidence import RecorderSettings
from benchmark.suite.collection import TrialSpec
from benchmark.suite.options import SuiteOptions
from benchmark.suite.resuming import question_maker, resume
from benchmark.tasks import read_variants
from benchmark.trials import TrialId, TrialRecord

(TASK,) = read_variants(Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch")
AGENTS = tuple(CommandAgent(f"a{number}", "true") for number in range(20))
OPTIONS = SuiteOptions(
    track=None, tasks=(), agents=AGENTS, attempts=5, judges=("offline",), judge_repeats=1, max_cost=None, run="r",
    runs_root=Path(), start="produce", settings={"craft": RecorderSettings()}, fresh=False, redo=(), keep_old=False,
    keep_workspace=False, gate=None, baseline=None, max_void=0.05,
)  # fmt: skip
SPECS = [TrialSpec(TrialId(TASK.id, agent.name, attempt), TASK, agent) for agent in AGENTS for attempt in range(1, 6)]


def settled(**versions: str) -> dict[str, TrialRecord]:
    """All of them, as of today but for these versions."""
    ask = question_maker(OPTIONS)
    return {
        spec.id.label: TrialRecord(
            task=TASK.id,
            agent=spec.id.agent,
            attempt=spec.id.attempt,
            family="puzzle",
            difficulty="easy",
            outcome="scored",
            facts=GameFacts(build=0).to_json(),
            score=0.0,
            judge="offline",
            versions={**ask(spec).versions, **versions},
        )
        for spec in SPECS
    }


def test_what_is_the_same_today_is_settled() -> None:
    found = resume(OPTIONS, SPECS, settled(harness="0.0.1", engine="3", project="x"))
    assert found.settled == {spec.id.label for spec in SPECS}
    assert found.notes == ()


def test_what_a_conftest_set_is_not_compared_and_said() -> None:
    found = resume(OPTIONS, SPECS, settled(recorder="x11 (conftest)"))
    assert found.settled == {spec.id.label for spec in SPECS}
    assert found.notes == ("whether recorder x11 is what it was is not known: it is a conftest's",)


@pytest.mark.parametrize("kind", ["instruction", "rubric", "judge", "recorder", "agent"])
def test_each_difference_is_listed_once_with_its_first_trials(kind: str) -> None:
    with pytest.raises(UsageError) as told:
        resume(OPTIONS, SPECS, settled(**{kind: "old"}))
    first, *lines = told.value.message.splitlines()
    assert first == "run 'r' has settled trials that would be others today"
    if kind == "agent":
        assert len(lines) == 13
        assert lines[0].startswith(
            f"  agent a0: old → {AGENTS[0].version} (5 trial(s): {TASK.id}[a0], {TASK.id}[a0#2], "
        )
        assert lines[-1] == "  and 8 more"
    else:
        (line,) = lines
        assert line.endswith(f"(100 trial(s): {TASK.id}[a0], {TASK.id}[a0#2], {TASK.id}[a0#3], and 97 more)")
        assert "old → " in line
    kept = resume(replace(OPTIONS, keep_old=True), SPECS, settled(**{kind: "old"}))
    assert len(kept.settled) == 100
    assert len(kept.notes) == len(lines)


def test_of_what_changed_only_the_chosen_run_again() -> None:
    records = settled()
    label = SPECS[0].id.label
    records[label] = replace(records[label], versions={**records[label].versions, "agent": "old"})
    assert resume(replace(OPTIONS, redo=("changed",)), SPECS, records).redone == {label}
    assert resume(replace(OPTIONS, redo=(label, "a1")), SPECS, records).redone == {
        label, *(spec.id.label for spec in SPECS if spec.id.agent == "a1"),
    }  # fmt: skip
    assert len(resume(replace(OPTIONS, redo=("tiny-switch",)), SPECS, records).redone) == 100
    with pytest.raises(UsageError, match="has settled trials"):
        resume(replace(OPTIONS, redo=("a1",)), SPECS, records)


def test_a_judge_of_a_conftest_is_not_called_another_one() -> None:
    records = {label: replace(record, judge="mine") for label, record in settled(judge="7").items()}
    assert resume(OPTIONS, SPECS, records).notes == (
        "whether judge mine is what it was is not known: it is a conftest's",
    )
