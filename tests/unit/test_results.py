"""Averages, intervals, gates and baselines."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.craft.record import GameFacts
from benchmark.craft.results.summary import summarize
from benchmark.errors import UsageError
from benchmark.expressions import parse_condition
from benchmark.results.baseline import against_baseline, read_baseline
from benchmark.results.release_gate import at_gate, check_names
from benchmark.results.statistics import difference_interval, mean_interval
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord


def scored(task: str, score: float, agent: str = "a", attempt: int = 1, family: str = "puzzle") -> TrialRecord:
    categories = dict.fromkeys("MDVA", score)
    return TrialRecord(
        task=f"craft/{family}/{task}",
        agent=agent,
        attempt=attempt,
        family=family,
        difficulty="easy",
        outcome="scored",
        judge="offline",
        proxy=True,
        facts=GameFacts(build=int(score > 0)).to_json(),
        score=score,
        categories=categories,
        cost_usd=0.5,
    )


def void(task: str, agent: str = "a") -> TrialRecord:
    return TrialRecord(
        task=f"craft/puzzle/{task}",
        agent=agent,
        attempt=1,
        family="puzzle",
        difficulty="easy",
        outcome="void",
        reason="no display",
        judge="offline",
    )


def test_each_task_counts_once_however_often_it_was_tried() -> None:
    (summary,) = summarize([scored("x", 1.0), scored("x", 0.0, attempt=2), scored("y", 0.8)])
    assert summary.averages.overall == pytest.approx((0.5 + 0.8) / 2)
    assert summary.averages.build == pytest.approx(0.75)
    assert summary.cost_usd == 1.5


def test_a_void_is_coverage_not_a_zero() -> None:
    (summary,) = summarize([scored("x", 0.6), void("y")])
    assert summary.averages.overall == 0.6
    assert summary.coverage == 0.5
    (nothing,) = summarize([void("x")])
    assert nothing.averages.overall is None


def test_the_example_task_counts_only_where_there_is_nothing_else() -> None:
    example = scored("e", 1.0, family="example")
    assert summarize([example, scored("x", 0.5)])[0].averages.overall == 0.5
    assert summarize([example])[0].averages.overall == 1.0


def test_the_best_agent_comes_first() -> None:
    assert [s.agent for s in summarize([scored("x", 0.1), scored("x", 0.9, "b"), void("x", "c")])] == ["b", "a", "c"]


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=4), st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=1))
def test_an_interval_holds_its_mean_and_repeats_itself(tasks: dict[str, list[float]]) -> None:
    interval = mean_interval(tasks)
    assert interval.low - 1e-9 <= interval.mean <= interval.high + 1e-9
    assert mean_interval(tasks) == interval
    same = difference_interval(tasks, {name: [sum(v) / len(v)] for name, v in tasks.items()})
    assert same.mean == pytest.approx(0, abs=1e-9)


def test_more_tasks_make_the_interval_narrower() -> None:
    few = mean_interval({str(n): [n % 2] for n in range(8)})
    many = mean_interval({str(n): [n % 2] for n in range(128)})
    assert many.high - many.low < (few.high - few.low) / 2


def test_the_gate_says_what_it_compared() -> None:
    records = [scored("x", 0.6), scored("y", 0.2, family="card-game")]
    verdict = at_gate("a", records, parse_condition("overall >= 0.4 and card_game < 0.3"))
    assert verdict.passed
    assert "overall 0.400" in verdict.lines[0]
    assert not at_gate("a", records, parse_condition("overall > 0.4")).passed


def test_a_gate_without_its_number_does_not_open() -> None:
    verdict = at_gate("a", [void("x")], parse_condition("overall >= 0"))
    assert not verdict.passed
    assert "'overall' is not known here" in verdict.lines[0]


def test_gate_names_are_checked_before_the_run() -> None:
    check_names(parse_condition("overall > 0 and M > 0 and art > 0 and open_world > 0 and coverage > 0"))
    with pytest.raises(UsageError, match="owerall: not known"):
        check_names(parse_condition("owerall > 0"))


def run_of(folder: Path, scores: dict[str, float]) -> Path:
    store = RunStore(folder)
    store.writing()
    for task, score in scores.items():
        store.append(scored(task, score))
    store.close()
    return folder


def test_only_a_drop_beyond_the_noise_fails(tmp_path: Path) -> None:
    names = [f"t{n}" for n in range(12)]
    baseline = read_baseline(run_of(tmp_path / "old", dict.fromkeys(names, 0.5)))
    noisy = [scored(name, 0.5 + (0.2 if n % 2 else -0.21)) for n, name in enumerate(names)]
    assert against_baseline("a", noisy, baseline).passed
    worse = [scored(name, 0.42 + 0.01 * (n % 3)) for n, name in enumerate(names)]
    verdict = against_baseline("a", worse, baseline)
    assert not verdict.passed
    assert "a DROP beyond noise" in verdict.lines[0]
    assert "12 shared tasks" in verdict.lines[0]
    assert against_baseline("a", [scored(name, 0.9) for name in names], baseline).passed


def test_another_judge_is_pointed_out(tmp_path: Path) -> None:
    baseline = read_baseline(run_of(tmp_path / "old", {"x": 0.5}))
    verdict = against_baseline("a", [replace(scored("x", 0.5), judge="openai:m")], baseline)
    assert "note: craft judged by openai:m, the baseline by offline" in verdict.lines[1]


def test_nothing_in_common_is_no_pass(tmp_path: Path) -> None:
    baseline = read_baseline(run_of(tmp_path / "old", {"x": 0.5}))
    assert not against_baseline("a", [scored("y", 0.5)], baseline).passed


def test_an_agent_is_compared_with_itself(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "old")
    store.writing()
    for record in (scored("x", 0.9), replace(scored("x", 0.2), agent="b")):
        store.append(record)
    store.close()
    baseline = read_baseline(tmp_path / "old")
    low = replace(scored("x", 0.25), agent="b")
    assert against_baseline("b", [low], baseline).lines == (
        f"craft against b of {tmp_path / 'old'}: +0.050 [+0.050, +0.050] (1 shared tasks, 95 %): no drop",
    )
    assert not against_baseline("a", [replace(low, agent="a")], baseline).passed


def test_a_stranger_is_compared_with_the_only_agent_or_not_at_all(tmp_path: Path) -> None:
    alone = read_baseline(run_of(tmp_path / "old", {"x": 0.5}))
    verdict = against_baseline("new", [replace(scored("x", 0.5), agent="new")], alone)
    assert verdict.passed
    assert verdict.lines[0].startswith(f"craft against a of {tmp_path / 'old'}: ")
    path = tmp_path / "summary.json"
    rows = [{"agent": "opus", "overall": 0.41}, {"agent": "gpt", "overall": 0.35}]
    path.write_text(json.dumps({"agents": rows}), encoding="utf-8")
    with pytest.raises(UsageError, match="holds 2 agents and none is called new") as told:
        read_baseline(path).opponent("new")
    assert "(gpt, opus)" in str(told.value)
    assert read_baseline(path).opponent("gpt") == "gpt"


def test_a_published_mean_can_be_a_baseline(tmp_path: Path) -> None:
    path = tmp_path / "opus.json"
    path.write_text(json.dumps({"agents": [{"agent": "opus", "overall": 0.41}]}), encoding="utf-8")
    records = [scored(f"t{n}", 0.3 + 0.01 * n) for n in range(5)]
    assert not against_baseline("a", records, read_baseline(path)).passed


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"agents": []}', '{"agents": [{"overall": "x"}]}', "\0"])
def test_a_file_that_is_no_baseline_says_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="is no baseline"):
        read_baseline(path)
