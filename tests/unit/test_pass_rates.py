"""Pass rates: their numbers, their tables, their drawing; and that passes and scores are never averaged together."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.cli import main
from benchmark.craft.record import GameFacts
from benchmark.edit.report.cost_plot import lay_out_costs
from benchmark.edit.report.diffs import read_diff
from benchmark.edit.results.passrates import (
    PassSummary,
    all_of,
    at_least_one,
    pass_rates,
    pass_standings,
    summarize_passes,
)
from benchmark.edit.results.tables import pass_groups, pass_table
from benchmark.errors import UsageError
from benchmark.expressions import parse_condition
from benchmark.results.averages import counted, scores_by_task
from benchmark.results.baseline import against_baseline, read_baseline
from benchmark.results.exports import main_tables, run_tables, summary_document
from benchmark.results.release_gate import at_gate, gate_values
from benchmark.results.report.plot import HEIGHT, nice_steps
from benchmark.results.statistics import difference_interval
from benchmark.results.store import RunStore
from benchmark.results.tables import RENDERERS, Table, to_csv
from benchmark.trials import TrialRecord


def edit(task: str, passed: float | None, agent: str = "a", attempt: int = 1, **changes: object) -> TrialRecord:
    outcome = {"outcome": "void", "reason": "disk full"} if passed is None else {"outcome": "scored"}
    values: dict[str, object] = {
        "task": f"edit/{task}", "agent": agent, "attempt": attempt, "family": task.partition("/")[0],
        "difficulty": "easy", "labels": {"editor": "scene", "feedback": "none"}, "judge": "hidden test",
        "facts": {} if passed is None else {"build": 1}, "score": passed, "cost_usd": 0.5, "seconds": {"produce": 10.0},
        "items": {} if passed is None else {"one": 1.0, "two": passed},
    }  # fmt: skip
    return TrialRecord(**(values | outcome | changes))  # type: ignore[arg-type]


def game(task: str, score: float, agent: str = "a", family: str = "puzzle") -> TrialRecord:
    return TrialRecord(
        task=f"craft/{family}/{task}",
        agent=agent,
        attempt=1,
        family=family,
        difficulty="easy",
        outcome="scored",
        judge="offline",
        proxy=True,
        facts=GameFacts(build=1).to_json(),
        score=score,
        categories=dict.fromkeys("MDVA", score),
        labels={"feedback": "none"},
    )


EDITS = (
    edit("gameplay/x", 1.0), edit("gameplay/x", 0.0, attempt=2),
    edit("2d-graphics/y", 1.0, difficulty="hard"), edit("2d-graphics/y", 1.0, attempt=2, difficulty="hard"),
    edit("gameplay/x", 1.0, "b", labels={"editor": "script", "feedback": "both"}), edit("gameplay/z", None, "b"),
)  # fmt: skip
GAMES = (game("g", 0.2), game("h", 0.4), game("g", 0.3, "b"))


def rows(table: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(table))))


def with_variants(passed: list[float]) -> list[TrialRecord]:
    """Tasks of which each has one variant that ends as it does."""
    return [
        edit(f"gameplay/t{number}{name}", one, variant_of=f"edit/gameplay/t{number}" if name else "")
        for number, one in enumerate(passed)
        for name in ("", "-other")
    ]


def test_variants_make_no_interval_narrower() -> None:
    passed = [1.0, 0.0, 1.0, 1.0]
    alone = pass_rates(edit(f"gameplay/t{number}", one) for number, one in enumerate(passed))
    both = pass_rates(with_variants(passed))
    assert (both.tasks, both.pass_1, both.interval_1) == (8, alone.pass_1, alone.interval_1)
    assert pass_rates(with_variants([1.0])).interval_1 is None


def test_variants_are_drawn_together_against_a_baseline() -> None:
    old = [1.0, 1.0, 1.0, 0.0, 1.0, 1.0]
    new = [0.0, 1.0, 1.0, 0.0, 1.0, 0.0]
    alone = difference_interval(
        {str(n): [one] for n, one in enumerate(new)}, {str(n): [one] for n, one in enumerate(old)}
    )
    mine, before = scores_by_task(with_variants(new)), scores_by_task(with_variants(old))
    together = difference_interval(mine, before, {one.task: one.origin for one in with_variants(new)})
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high))
    apart = difference_interval(mine, before)
    assert apart.high - apart.low < together.high - together.low


@settings(deadline=None)
@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_some_of_k_is_likelier_than_one_and_one_than_all(counts: tuple[int, int, int]) -> None:
    n, c, k = counts
    assert all_of(n, c, k) <= c / n + 1e-12
    assert c / n <= at_least_one(n, c, k) + 1e-12
    assert at_least_one(n, c, 1) == pytest.approx(c / n)


def test_rates_are_means_over_tasks_and_k_is_what_every_task_has() -> None:
    rates = pass_rates([*EDITS[:4], edit("gameplay/x", 0.0, attempt=3)])
    assert (rates.tasks, rates.k) == (2, 2)
    assert rates.pass_1 == pytest.approx((1 / 3 + 1) / 2)
    assert rates.pass_k == pytest.approx((2 / 3 + 1) / 2)
    assert rates.pass_all_k == pytest.approx((0 + 1) / 2)
    assert pass_rates([edit("gameplay/x", None)]).pass_1 is None


def test_each_agent_and_feedback_is_one_line_best_first() -> None:
    lines = rows(pass_table(pass_standings(EDITS)))
    assert [(row["agent"], row["feedback"]) for row in lines] == [("b", "both"), ("a", "none"), ("b", "none")]
    assert (lines[2]["pass_1"], lines[2]["void"], lines[2]["tasks"]) == ("", "1", "0")
    assert (float(lines[1]["pass_1"]), lines[1]["k"], float(lines[1]["pass_all_k"])) == (0.75, "2", 0.5)
    assert (float(lines[1]["cost_per_trial"]), float(lines[1]["cost_usd"]), float(lines[1]["seconds"])) == (0.5, 2, 40)
    assert lines[0]["pass_1_low"] == ""  # one task says nothing about others


def test_groups_come_in_the_order_of_the_benchmark_and_none_is_lost() -> None:
    odd = edit("space/q", 0.0, labels={}, difficulty="insane")
    lines = [row for row in rows(pass_groups(pass_standings([*EDITS, odd]))) if row["agent"] == "a"]
    assert [(row["group"], row["value"], row["tasks"]) for row in lines] == [
        ("skill", "2d-graphics", "1"), ("skill", "gameplay", "1"), ("skill", "space", "1"), ("editor", "scene", "2"),
        ("editor", "unsorted", "1"), ("difficulty", "easy", "1"), ("difficulty", "hard", "1"),
        ("difficulty", "insane", "1"),
    ]  # fmt: skip


def test_scores_do_not_move_when_edits_are_added_nor_passes_when_games_are() -> None:
    both = [*EDITS, *GAMES]
    assert main_tables(both) == main_tables(GAMES) | main_tables(EDITS)
    alone, together = summary_document("r", GAMES), summary_document("r", both)
    assert together["agents"] == alone["agents"]
    assert together["passes"] == summary_document("r", EDITS)["passes"]


def test_an_example_game_counts_where_its_own_track_has_nothing_else() -> None:
    example = game("e", 1.0, family="example")
    assert counted([example, *EDITS]) == [example, *EDITS]
    assert counted([example, *GAMES, *EDITS]) == [*GAMES, *EDITS]
    assert "craft/example/e" in scores_by_task([example, *EDITS])


def test_a_run_has_the_tables_of_its_tracks_only() -> None:
    scores, passes = {"leaderboard", "families"}, {"pass-rates", "pass-groups"}
    assert set(main_tables(GAMES)) == set(main_tables(())) == scores
    assert set(main_tables(EDITS)) == passes
    both = (*EDITS, *GAMES)
    assert set(run_tables(both)) == scores | passes | {"trials"}


def test_the_list_of_trials_tells_tracks_and_labels_apart() -> None:
    first, *_, last = rows(run_tables([*EDITS, *GAMES])["trials"])
    assert (first["track"], first["editor"], first["M"], first["items"]) == ("craft", "", "0.2", "0")
    assert (last["track"], last["editor"], last["feedback"], last["M"]) == ("edit", "scene", "none", "")
    one = rows(run_tables([edit("gameplay/x", 0.0)])["trials"])[0]
    assert (one["items_held"], one["items"]) == ("1", "2")


@pytest.mark.parametrize("name", RENDERERS)
def test_pass_tables_are_written_like_the_others(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "r", [*EDITS, *GAMES])
    assert main(["report", str(run), "--format", name]) == 0
    printed = capsys.readouterr().out
    for word in ("gameplay", "puzzle", "difficulty"):
        assert word in printed


def test_the_pass_rates_as_people_read_them() -> None:
    markdown = RENDERERS["md"][1](pass_table(pass_standings(EDITS)))
    assert "| a | none | 75.00 |" in markdown
    assert r"pass\textasciicircum{}k" in RENDERERS["latex"][1](pass_table(pass_standings(EDITS)))


def write_run(folder: Path, records: list[TrialRecord]) -> Path:
    store = RunStore(folder)
    store.writing()
    for record in records:
        store.append(record)
    store.close()
    return folder


def write_summary(path: Path, records: list[TrialRecord]) -> Path:
    path.write_text(json.dumps(summary_document("r", records)), encoding="utf-8")
    return path


def many(passed: float, agent: str = "a") -> list[TrialRecord]:
    return [edit(f"gameplay/t{n}", passed, agent) for n in range(8)]


def test_a_summary_of_edits_is_a_baseline(tmp_path: Path) -> None:
    baseline = read_baseline(write_summary(tmp_path / "s.json", many(1.0)))
    assert baseline.agents["a"].means == {"edit": 1.0}
    assert baseline.agents["a"].judges == {"edit": "hidden test"}
    assert against_baseline("a", many(1.0), baseline).passed
    dropped = against_baseline("a", many(0.0), baseline)
    assert not dropped.passed
    assert "a DROP beyond noise" in dropped.lines[0]
    assert len(dropped.lines) == 1  # the same test: no note about judges


def test_each_track_is_held_against_the_agents_own(tmp_path: Path) -> None:
    old = [*many(1.0), *many(0.0, "b"), game("g", 0.1), game("g", 0.9, "b")]
    baseline = read_baseline(write_summary(tmp_path / "s.json", old))
    assert against_baseline("a", [*many(1.0), game("g", 0.1)], baseline).passed
    verdict = against_baseline("b", [*many(0.0, "b"), game("g", 0.1, "b")], baseline)
    assert not verdict.passed
    assert [line[:16] for line in verdict.lines] == ["edit against b o", "craft against b "]
    assert [line.endswith("no drop") for line in verdict.lines] == [True, False]
    assert against_baseline("a", many(1.0), baseline).lines[0].endswith("no drop")


def test_the_folder_of_a_run_with_both_tracks_is_a_baseline(tmp_path: Path) -> None:
    baseline = read_baseline(write_run(tmp_path / "old", [*many(1.0), game("g", 0.5)]))
    assert baseline.agents["a"].judges == {"edit": "hidden test", "craft": "offline"}
    verdict = against_baseline("a", [*many(1.0), game("g", 0.5)], baseline)
    assert verdict.passed
    assert not any("note" in line for line in verdict.lines)


def test_a_published_pass_rate_can_be_a_baseline(tmp_path: Path) -> None:
    path = tmp_path / "paper.json"
    path.write_text(json.dumps({"passes": [{"agent": "gpt", "pass_1": 0.49}]}), encoding="utf-8")
    assert not against_baseline("a", many(0.0), read_baseline(path)).passed
    assert against_baseline("a", many(1.0), read_baseline(path)).passed
    silent = against_baseline("a", [game("g", 1.0)], read_baseline(path))  # says nothing about games
    assert not silent.passed
    assert silent.lines[0] == f"craft: not compared, gpt of {path} has no craft result"


def test_tasks_that_the_baseline_lacks_are_no_pass_even_beside_another_track(tmp_path: Path) -> None:
    baseline = read_baseline(write_run(tmp_path / "old", [*many(1.0), game("g", 0.5)]))
    verdict = against_baseline("a", [edit("gameplay/new", 1.0), game("g", 0.5)], baseline)
    assert not verdict.passed
    assert "no edit task in common" in verdict.lines[0]


def test_a_summary_in_which_all_is_void_is_no_baseline(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no baseline"):
        read_baseline(write_summary(tmp_path / "s.json", [edit("gameplay/x", None)]))


def test_gates_keep_tracks_apart() -> None:
    values = gate_values([*EDITS[:4], *GAMES[:2]])
    assert values["craft_overall"] == pytest.approx(0.3)
    assert values["edit_pass_1"] == values["edit_overall"] == 0.75
    assert "overall" not in values
    assert gate_values(EDITS[:4])["overall"] == 0.75
    assert at_gate("a", [*EDITS, *GAMES], parse_condition("edit_pass_1 >= 0.7 and craft_overall < 0.4")).passed


def summary(agent: str, passed: float, cost: float, feedback: str = "none") -> PassSummary:
    rates = pass_rates([edit(f"gameplay/{n}", float(n < passed * 10)) for n in range(10)])
    return PassSummary(agent=agent, feedback=feedback, rates=rates, trials=10, void=0, cost_usd=cost * 10, seconds=1.0)


def test_a_point_lies_where_its_cost_and_rate_are() -> None:
    plot = lay_out_costs([summary("best", 1.0, 0.4), summary("half", 0.5, 0.2), summary("none", 0.0, 0.1)]).drawing
    assert [text for _, text in plot.ticks_x] == ["$0.00", "$0.10", "$0.20", "$0.30", "$0.40"]
    assert [text for _, text in plot.ticks_y] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    best, half, none = plot.points
    assert [point.x for point in plot.points] == [pytest.approx(100), pytest.approx(50), pytest.approx(25)]
    assert half.y == HEIGHT / 2
    assert best.y < half.y < none.y
    assert half.low is not None
    assert half.high is not None
    assert half.high < half.y < half.low  # up is less
    assert (best.name, best.end) == ("best", True)  # no room to its right
    assert (half.name, half.end) == ("half", False)


def test_who_costs_nothing_or_has_no_result_is_named_not_drawn() -> None:
    nobody = PassSummary(
        agent="void", feedback="none", rates=pass_rates(()), trials=1, void=1, cost_usd=0.3, seconds=1.0
    )
    plot = lay_out_costs([summary("paid", 0.5, 0.2), summary("free", 1.0, 0.0), nobody])
    assert [point.dot.name for point in plot.drawing.points] == ["paid"]
    assert [one.agent for one in plot.left_out] == ["free", "void"]
    assert lay_out_costs([summary("free", 1.0, 0.0)]).drawing.points == ()


def test_names_never_lie_on_each_other_and_numbers_stay() -> None:
    plot = lay_out_costs([summary(f"agent-{n}", 0.5, 0.2, "both") for n in range(6)]).drawing
    assert [point.dot.number for point in plot.points] == [1, 2, 3, 4, 5, 6]
    assert sum(bool(point.name) for point in plot.points) <= 2


@settings(deadline=None)
@given(st.floats(1e-6, 1e6))
def test_steps_are_round_and_hold_the_largest(most: float) -> None:
    step, count = nice_steps(most)
    assert 3 <= count <= 8
    assert step * count >= most * (1 - 1e-6)
    assert f"{step:.0e}"[0] in "125"


def test_a_diff_is_read_by_the_length_of_its_hunks() -> None:
    changed, gone, art, remark = read_diff(
        [
            "--- start/a b.gd", "+++ submission/a b.gd", "@@ -1,2 +1,2 @@", "--- start/x", "+++ submission/x", " same",
            "--- start/old.gd", "+++ /dev/null", "@@ -1 +0,0 @@", "-gone", "# art.png: added",
            "# cut off: more than 9 lines",
        ]
    )  # fmt: skip
    assert (changed.name, changed.what, changed.added, changed.removed) == ("a b.gd", "changed", 1, 1)
    assert [kind for kind, _ in changed.lines] == ["place", "removed", "added", "same"]
    assert (gone.name, gone.what, gone.removed) == ("old.gd", "removed", 1)
    assert (art.name, art.what, art.lines) == ("art.png", "added", ())
    assert (remark.name, remark.what) == ("cut off: more than 9 lines", "")


def test_a_diff_that_was_cut_off_says_so_where_it_ends() -> None:
    (change,) = read_diff(["--- /dev/null", "+++ submission/a", "@@ -0,0 +1,9 @@", "+one", "# cut off here"])
    assert (change.what, change.lines[1:]) == ("added", (("added", "+one"), ("place", "# cut off here")))


@settings(deadline=None)
@given(st.lists(st.text(alphabet="-+@# ,1a\n", max_size=12), max_size=12))
def test_whatever_a_diff_holds_can_be_read(lines: list[str]) -> None:
    read_diff(lines)


def test_feedback_is_a_label_and_groups_alone() -> None:
    plain = [edit("gameplay/x", 1.0), edit("gameplay/y", 0.0)]
    seen = [replace(record, labels={"feedback": "video"}, agent="b") for record in plain]
    one, other = summarize_passes([*plain, *seen])
    assert one.rates == other.rates
    assert (one.feedback, other.feedback) == ("none", "video")
