"""Judge and people: numbers worked out by hand, and what must hold for any scores."""

import csv
import io
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.cli import main
from benchmark.craft.review import calibration
from benchmark.craft.review.calibration import finished_trials
from benchmark.craft.review.ledger import Ledger, Review, ReviewLine
from benchmark.craft.review.queue import Case, ReviewQueue, lay_out
from benchmark.craft.review.results import export
from benchmark.errors import UsageError
from benchmark.results.store import RunStore
from tests.review.sample_run import AGENTS, ITEMS, JUDGE_SCORES, RUBRIC, TASKS, record


def case(agent: str) -> Case:
    return Case(
        key=f"key-{agent}", record=record(agent), rubric=RUBRIC, specification="", folder=Path("runs/r/trials") / agent
    )


def review(reviewer: str, scores: dict[str, dict[str, float]]) -> Review:
    changes = [
        ReviewLine(
            time="",
            trial=record(agent).id.label,
            item=item,
            score=score,
            note="",
            rubric=RUBRIC.digest[:16],
            submission=f"project-of-{agent}",
        )
        for agent, said in scores.items()
        for item, score in said.items()
    ]
    return Review(reviewer, tuple(changes))


CASES = tuple(case(agent) for agent in AGENTS)
# M1 M2 D1 V1 V2 A1, as in the rubric
ANN = review("ann", {"zebrafish": dict(zip(ITEMS, (0.5, 0.5, 0.25, 1.0, 0.25, 0.0), strict=True))})
BOB = review("bob", {"zebrafish": dict(zip(ITEMS, (1.0, 0.0, 0.75, 1.0, 0.75, 0.5), strict=True))})


def test_calibration_of_one_reviewer_by_hand() -> None:
    judged = finished_trials(CASES, [ANN])
    assert [one.case.record.agent for one in judged] == ["zebrafish"]
    # human: M (0.5+0.5)/2, D 0.25, V (1+0.25)/2, A 0 → 0.15·0.5 + 0.35·0.25 + 0.15·0.625 + 0 = 0.25625
    assert judged[0].human.score == pytest.approx(0.25625)
    # judge: M 0.75, D 0.75, V 0.625, A 0.5 → 0.1125 + 0.2625 + 0.09375 + 0.175 = 0.64375
    table = calibration.calibration_table(judged)
    assert [row[:2] for row in table.rows] == [("puzzle", 1), ("all", 1)]
    assert table.rows[0][2:] == pytest.approx((0.25, 0.5, 0.0, 0.5, 0.3875, 0.3875))


def test_several_reviewers_count_with_their_mean_and_show_their_spread() -> None:
    judged = finished_trials(CASES, [ANN, BOB])
    human = judged[0].human.items
    assert [human[item] for item in ITEMS] == pytest.approx([0.75, 0.25, 0.5, 1.0, 0.5, 0.25])
    assert judged[0].item_sd["M1"] == pytest.approx(math.sqrt(0.125))  # of 0.5 and 1.0
    assert judged[0].item_sd["V1"] == 0.0
    # bob: M 0.5, D 0.75, V 0.875, A 0.5 → 0.075 + 0.2625 + 0.13125 + 0.175 = 0.64375
    assert judged[0].overall_sd == pytest.approx((0.64375 - 0.25625) / math.sqrt(2))
    assert judged[0].human.score == pytest.approx((0.64375 + 0.25625) / 2)
    rows = {(row[0], row[1]): row for row in calibration.agreement_table(judged).rows}
    assert set(rows) == {
        ("judge", "ann"), ("judge", "bob"), ("judge", calibration.PEOPLE), ("ann", "bob"),
        ("all reviewers", "each other"),
    }  # fmt: skip
    # judge − ann: 0.5, 0, 0.5, 0, 0, 0.5
    assert rows["judge", "ann"][2:5] == pytest.approx((6, 0.25, 0.25))
    assert rows["ann", "bob"][9] == rows["all reviewers", "each other"][9]


def test_the_largest_gap_comes_first_and_agreement_is_no_gap() -> None:
    gaps = calibration.largest_gaps(finished_trials(CASES, [ANN]))
    assert [(gap.item, gap.difference) for gap in gaps] == [("A1", 0.5), ("D1", 0.5), ("M1", 0.5)]


def test_families_and_agents_have_rows_of_their_own() -> None:
    horror = replace(CASES[1], record=replace(CASES[1].record, family="horror"))
    both = review("ann", {agent: dict.fromkeys(ITEMS, 0.5) for agent in AGENTS})
    judged = finished_trials((CASES[0], horror), [both])
    rows = {row[0]: row for row in calibration.calibration_table(judged).rows}
    assert list(rows) == ["puzzle", "horror", "all"]  # the larger family of the benchmark first
    for column in range(2, 7):
        assert rows["all"][column] == pytest.approx((rows["puzzle"][column] + rows["horror"][column]) / 2)  # type: ignore[operator]
    assert [row[0] for row in calibration.agent_table(judged).rows] == ["quokka", "zebrafish"]


def test_unfinished_reviews_count_nowhere() -> None:
    half = review("cat", {"quokka": dict.fromkeys(ITEMS[:-1], 0.0)})
    assert finished_trials(CASES, [half]) == ()
    judged = finished_trials(CASES, [ANN, half])
    assert [one.case.record.agent for one in judged] == ["zebrafish"]
    assert "cat" not in {row[1] for row in calibration.agreement_table(judged).rows}
    table = calibration.score_table(CASES, [half])
    assert len(table.rows) == len(ITEMS) - 1
    assert {row[4] for row in table.rows} == {False}


scores = st.fixed_dictionaries({item: st.floats(0, 1).map(lambda x: round(x, 4)) for item in ITEMS})


@settings(deadline=None)
@given(st.lists(scores, min_size=1, max_size=4))
def test_properties_of_any_scores(said: list[dict[str, float]]) -> None:
    reviews = [review(f"r{index}", {"zebrafish": one}) for index, one in enumerate(said)]
    judged = finished_trials(CASES, reviews)[0]
    for item in ITEMS:
        values = [one[item] for one in said]
        assert min(values) - 1e-9 <= judged.human.items[item] <= max(values) + 1e-9
    assert -1 <= judged.differences["overall"] <= 1
    # weights of the formula: what the categories differ by adds up to what the whole differs by
    weighed = sum({"M": 0.15, "D": 0.35, "V": 0.15, "A": 0.35}[key] * judged.differences[key] for key in "MDVA")
    assert judged.differences["overall"] == pytest.approx(weighed, abs=1e-9)


@settings(deadline=None)
@given(scores)
def test_a_reviewer_who_says_what_the_judge_said_has_no_difference(said: dict[str, float]) -> None:
    same = finished_trials(CASES, [review("ann", {"quokka": JUDGE_SCORES["quokka"]})])
    assert calibration.calibration_table(same).rows[-1][2:] == pytest.approx((0.0,) * 6)
    assert calibration.largest_gaps(same) == ()
    # and the sign turns when judge and reviewer change places
    other = finished_trials(CASES, [review("ann", {"quokka": said})])[0]
    assert other.differences["D"] == pytest.approx(JUDGE_SCORES["quokka"]["D1"] - said["D1"])


# --- the queue -------------------------------------------------------------------------------------------------------


def queue_of(store: RunStore) -> ReviewQueue:
    return lay_out(store, b"secret", [TASKS])


def test_void_and_unbuilt_trials_are_left_out_and_counted(store: RunStore) -> None:
    queue = queue_of(store)
    assert sorted(one.record.agent for one in queue.cases) == sorted(AGENTS)
    assert queue.left_out == {"BUILD 0, so there is nothing to judge": 1, "void, so there is nothing to judge": 1}


def test_trials_of_another_rubric_or_without_evidence_are_left_out(store: RunStore) -> None:
    changed = replace(record("zebrafish"), versions={"rubric": "0123456789abcdef", "project": "p"})
    store.append(changed)
    (store.trial_folder(record("quokka").id) / "evidence").rename(store.folder / "moved")
    queue = queue_of(store)
    assert queue.cases == ()
    assert "its evidence is not there" in queue.left_out
    assert "it was judged under another rubric than the task has now" in queue.left_out


def test_trials_that_pass_or_fail_are_left_out(store: RunStore) -> None:
    store.append(replace(record("zebrafish"), task="edit/gameplay/tiny-fix"))
    assert queue_of(store).left_out["it passes or fails by tests, so there is nothing to judge"] == 1


def test_trials_of_unknown_tasks_are_left_out(store: RunStore) -> None:
    assert lay_out(store, b"").left_out["its task is not here; name its folder with --tasks"] == 2


def test_a_blind_order_is_the_reviewers_own_and_always_the_same() -> None:
    attempts = [replace(record("quokka"), attempt=number) for number in range(1, 30)]
    queue = ReviewQueue(tuple(replace(CASES[0], key=str(one.attempt), record=one) for one in attempts), {})
    orders = {name: [one.key for one in queue.in_order(name, blind=True)] for name in ("ann", "bob")}
    assert orders["ann"] != orders["bob"]
    assert sorted(orders["ann"]) == sorted(orders["bob"])
    assert orders["ann"] == [one.key for one in queue.in_order("ann", blind=True)]
    fewer = ReviewQueue(queue.cases[:20], {})  # trials that are added later do not shuffle the others
    assert [one.key for one in fewer.in_order("ann", blind=True)] == [k for k in orders["ann"] if int(k) <= 20]
    assert [one.key for one in queue.in_order("ann", blind=False)] == [str(n) for n in range(1, 30)]


# --- export ---------------------------------------------------------------------------------------------------------


def write_reviews(store: RunStore, *reviews: Review) -> None:
    for one in reviews:
        for change in one.changes:
            Ledger(store.folder).append(one.reviewer, change)


def test_the_command_exports_every_format(store: RunStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_reviews(store, ANN, BOB)
    out = tmp_path / "out"
    assert main(["review", str(store.folder), "--tasks", str(TASKS), "--export", str(out)]) == 0
    said = capsys.readouterr().out
    assert "ann finished 1 of 2 trials." in said
    assert said.strip().endswith("review.html")
    names = ("calibration", "agents", "agreement", "trials", "items", "gaps", "scores")
    expected = {f"{name}{ending}" for name in names for ending in (".csv", ".json", ".md", ".tex")}
    assert {path.name for path in out.iterdir()} == expected | {"review.html", "review.json"}
    rows = list(csv.DictReader(io.StringIO((out / "trials.csv").read_text(encoding="utf-8"))))
    assert float(rows[0]["human"]) == pytest.approx(0.45)
    gaps = json.loads((out / "gaps.json").read_text(encoding="utf-8"))
    assert (out / gaps[0]["evidence"]).resolve() == store.trial_folder(record("zebrafish").id) / "evidence"


def test_formats_can_be_chosen_and_foreign_folders_are_left_alone(store: RunStore, tmp_path: Path) -> None:
    write_reviews(store, ANN)
    out = tmp_path / "out"
    arguments = ["review", str(store.folder), "--tasks", str(TASKS), "--export", str(out)]
    assert main([*arguments, "--format", "csv", "--format", "md"]) == 0
    assert {path.suffix for path in out.iterdir()} == {".csv", ".md", ".json"}
    assert (out / "review.json").is_file()
    assert not (out / "gaps.json").exists()
    assert main([*arguments, "--format", "csv"]) == 0  # an export replaces an export
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").touch()
    with pytest.raises(UsageError, match="no export of ours"):
        export(store, queue_of(store), Ledger(store.folder), mine)
    assert [path.name for path in mine.iterdir()] == ["thesis.txt"]


def test_the_page_links_to_the_report_where_there_is_one(store: RunStore, tmp_path: Path) -> None:
    write_reviews(store, ANN)
    export(store, queue_of(store), Ledger(store.folder), tmp_path / "before", ["html"])
    assert ">report</a>" not in (tmp_path / "before/review.html").read_text(encoding="utf-8")
    assert main(["report", str(store.folder), "-q"]) == 0
    export(store, queue_of(store), Ledger(store.folder), tmp_path / "after", ["html"])
    assert ">report</a>" in (tmp_path / "after/review.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--export", "OUT"], "nobody has reviewed"),
        (["--format", "csv"], "--format is for --export"),
        (["--reviewer", "a/b"], "reviewer: 'a/b'"),
        (["--port", "70000"], "--port: 70000"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    store: RunStore, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    given_words = [str(tmp_path / "out") if word == "OUT" else word for word in arguments]
    assert main(["review", str(store.folder), "--tasks", str(TASKS), *given_words]) == 2
    assert said in capsys.readouterr().err


def test_a_run_without_anything_to_judge_is_said(store: RunStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(store.folder), "--no-browser"]) == 2  # our own tasks do not hold the tiny one
    assert "nothing of 'zebrafish-nightly' can be judged" in capsys.readouterr().err
