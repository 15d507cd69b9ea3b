"""Repeats and several judges: what counts, how steady, how far apart."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.craft.judging.opinions import Opinion, hear, read_opinions, write_opinions
from benchmark.craft.judging.protocol import DemoEvidence, DemoJudgement, ItemScore
from benchmark.craft.record import GameFacts
from benchmark.craft.rubric import Requirement, Rubric
from benchmark.errors import InfrastructureError
from benchmark.expressions import parse_formula
from benchmark.results.agreement import Ratings, agreement, alpha, gaps, judge_pairs
from benchmark.results.averages import scores_by_task
from benchmark.results.judging import judge_lines, judge_tables, stability_table
from benchmark.trials import OpinionRecord, TrialId, TrialRecord
from tests.samples import make_demo

RUBRIC = Rubric(
    requirements=(Requirement("M1", "mean", "x"),),
    formula=parse_formula("BUILD*M1"),
    max_demos=10,
    max_demo_seconds=20.0,
    digest="digest",
)
TRIAL = TrialId("craft/puzzle/one", "codex")


def ratings(*scores: float) -> Ratings:
    return {(TRIAL, f"M{n}"): score for n, score in enumerate(scores, 1)}


def test_agreement_by_hand() -> None:
    found = agreement(ratings(1.0, 0.5, 0.0, 0.8), ratings(0.5, 0.5, 0.25, 0.8))
    assert found.items == 4
    assert found.mean_difference == pytest.approx((0.5 - 0.25) / 4)
    assert found.mean_absolute == pytest.approx(0.75 / 4)
    assert found.rmse == pytest.approx(((0.25 + 0.0625) / 4) ** 0.5)
    assert found.close == pytest.approx(3 / 4)
    assert found.same == 1.0
    assert agreement(ratings(0.3), {}).mean_absolute is None
    assert agreement(ratings(0.3, 0.3), ratings(0.1, 0.9)).correlation is None  # nothing varies


def test_alpha_of_a_known_table() -> None:
    """Krippendorff's own example for intervals (four observers, twelve units, gaps): 0.849."""
    rows = (
        "1 2 3 3 2 1 4 1 2 * * *",
        "1 2 3 3 2 2 4 1 2 5 * 3",
        "* 3 3 3 2 3 4 2 2 5 1 *",
        "1 2 3 3 2 4 4 1 2 5 1 *",
    )
    raters = [{(TRIAL, str(n)): float(v) for n, v in enumerate(row.split()) if v != "*"} for row in rows]
    assert alpha(raters) == pytest.approx(0.849, abs=0.001)


def test_alpha_without_anything_to_compare() -> None:
    assert alpha([ratings(0.5)]) is None
    assert alpha([ratings(0.5, 0.5), ratings(0.5, 0.5)]) is None


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_agreement_holds_its_bounds(pairs: list[tuple[float, float]]) -> None:
    one, other = ratings(*(a for a, _ in pairs)), ratings(*(b for _, b in pairs))
    found, reverse = agreement(one, other), agreement(other, one)
    assert found.mean_difference == pytest.approx(-(reverse.mean_difference or 0.0))
    assert 0 <= abs(found.mean_difference or 0) <= (found.mean_absolute or 0) + 1e-9 <= (found.rmse or 0) + 2e-9 <= 1.01
    assert found.correlation is None or -1.001 <= found.correlation <= 1.001
    far = gaps(one, other, 0.5)
    assert [abs(gap.difference) for gap in far] == sorted((abs(gap.difference) for gap in far), reverse=True)
    assert len(far) == sum(abs(a - b) >= 0.5 for a, b in pairs)


def record(task: str, *opinions: tuple[str, int, float], family: str = "puzzle") -> TrialRecord:
    said = tuple(
        OpinionRecord(
            judge=judge,
            version="v",
            proxy=False,
            repeat=repeat,
            score=score,
            categories={"M": score, "D": 0.5, "V": 0.5, "A": 0.5},
            items={"M1": score},
        )
        for judge, repeat, score in opinions
    )
    first = opinions[0]
    return TrialRecord(
        task=task, agent="codex", attempt=1, family=family, difficulty="easy", outcome="scored", judge=first[0],
        facts=GameFacts(build=1).to_json(),
        score=first[2], items={"M1": first[2]},
        categories={"M": first[2]}, opinions=said if len(said) > 1 else (),
    )  # fmt: skip


def test_stability_is_over_repeats_of_the_mean_over_tasks() -> None:
    one = record("craft/puzzle/one", ("j", 1, 0.4), ("j", 2, 0.6))
    two = record("craft/platformer/two", ("j", 1, 0.8), ("j", 2, 0.8), family="platformer")
    rows = {str(row[2]): list(row[3:7]) for row in stability_table([one, two]).rows}
    assert rows["puzzle"] == pytest.approx([2, 1, 0.5, 0.2 / 2**0.5])
    assert rows["platformer"] == pytest.approx([2, 1, 0.8, 0.0])
    assert rows["all"] == pytest.approx([2, 2, 0.65, 0.1 / 2**0.5])
    assert "codex: j says 0.650 ± 0.071 over 2 repeats" in judge_lines([one, two])


def test_tables_only_where_they_say_something() -> None:
    assert not judge_tables([record("craft/puzzle/one", ("j", 1, 0.4))])
    assert set(judge_tables([record("craft/puzzle/one", ("j", 1, 0.4), ("j", 2, 0.4))])) == {"stability", "item-spread"}
    both = [record("craft/puzzle/one", ("j", 1, 0.1), ("k", 1, 0.9))]
    assert set(judge_tables(both)) == {"agreement", "disagreements"}
    ((one, other, found, far),) = judge_pairs(both)
    assert (one, other, found.items, len(far)) == ("j", "k", 1, 1)


def test_a_baseline_is_made_of_repeats() -> None:
    one = record("craft/puzzle/one", ("j", 1, 0.4), ("j", 2, 0.6), ("k", 1, 0.9))
    assert scores_by_task([one]) == {"craft/puzzle/one": (0.4, 0.6)}
    assert scores_by_task([replace(one, opinions=())]) == {"craft/puzzle/one": (0.4,)}
    assert TrialRecord.from_line(one.to_line()) == one


class Dice:
    """A judge that never says the same twice, and may fail."""

    name, version, proxy, needs_untouched, steady = "dice", "1", False, False, False

    def __init__(self, fails_on: int | None = None, steady: bool = False) -> None:
        self.asked: list[int] = []
        self.fails_on = fails_on
        self.steady = steady

    def ready(self) -> None: ...

    def judge(self, rubric: Any, demos: Sequence[DemoEvidence], log: Any = None, repeat: int = 1) -> Any:
        self.asked.append(repeat)
        if repeat == self.fails_on:
            raise InfrastructureError("the dice are lost")
        score = random.Random(repeat).random()
        return tuple(DemoJudgement(demo.name, {name: ItemScore(score, "") for name in rubric.ids}) for demo in demos)


def test_each_repeat_is_asked_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    demos = [make_demo(tmp_path / "01")]
    failing = Dice(fails_on=2)
    with pytest.raises(InfrastructureError, match="dice are lost"):
        hear([failing], 3, RUBRIC, demos)
    assert sorted(failing.asked) == [1, 2, 3]
    dice = Dice()
    opinions = hear([dice, Dice(steady=True)], 3, RUBRIC, demos)
    assert dice.asked == [2]  # the others were kept though the trial was void
    assert [opinion.repeat for opinion in opinions] == [1, 2, 3, 1]
    assert len({opinion.demos[0].items["M1"].score for opinion in opinions}) == 3
    write_opinions(tmp_path, opinions)
    assert read_opinions(tmp_path) == opinions


@pytest.mark.parametrize("text", ["", "[]", "{}", '[{"judge": "x"}]', "[1]"])
def test_damaged_opinions_are_no_opinions(tmp_path: Path, text: str) -> None:
    (tmp_path / "opinions.json").write_text(text, encoding="utf-8")
    with pytest.raises(InfrastructureError, match=r"opinions\.json"):
        read_opinions(tmp_path)


def test_opinion_sums_its_costs() -> None:
    demos = (DemoJudgement("01", {}, cost_usd=0.25), DemoJudgement("02", {}, cost_usd=0.5))
    assert Opinion(judge="j", version="v", proxy=False, repeat=1, demos=demos).cost_usd == 0.75
