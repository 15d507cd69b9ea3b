"""The offline judge on evidence made by hand: does each measure move with what it measures?"""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.craft.judging.cache import judge_once
from benchmark.craft.judging.offline.judge import OfflineJudge
from benchmark.craft.judging.offline.statelog import read_looks
from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.craft.rubric import Requirement, Rubric
from benchmark.errors import InfrastructureError
from benchmark.expressions import parse_formula
from benchmark.replay.evidence import Outcome
from tests.samples import make_demo

RUBRIC = Rubric(
    requirements=tuple(Requirement(f"{letter}1", "mean", "something is shown") for letter in "MDVA"),
    formula=parse_formula("BUILD*(0.15*M1+0.35*D1+0.15*V1+0.35*A1)"),
    max_demos=10,
    max_demo_seconds=20.0,
    digest="digest",
)


def scores(demo: DemoEvidence) -> dict[str, float]:
    (judgement,) = OfflineJudge().judge(RUBRIC, [demo])
    assert all(item.reason.startswith("proxy: ") for item in judgement.items.values())
    return judgement.scores


def test_a_sound_demo_scores_high_in_everything(tmp_path: Path) -> None:
    assert min(scores(make_demo(tmp_path / "good")).values()) > 0.7


def test_deaf_games_lose_mechanics(tmp_path: Path) -> None:
    good, deaf = scores(make_demo(tmp_path / "good")), scores(make_demo(tmp_path / "deaf", deaf=True))
    assert deaf["M1"] < 0.4 < good["M1"]
    assert deaf["A1"] == good["A1"]


def test_frozen_games_lose_mechanics_and_depth(tmp_path: Path) -> None:
    good, frozen = scores(make_demo(tmp_path / "good")), scores(make_demo(tmp_path / "frozen", frozen=True))
    assert frozen["M1"] < good["M1"] - 0.3
    assert frozen["D1"] < good["D1"] - 0.2
    assert frozen["V1"] < good["V1"]


def test_plain_shapes_lose_art(tmp_path: Path) -> None:
    good, plain = scores(make_demo(tmp_path / "good")), scores(make_demo(tmp_path / "plain", plain=True))
    assert plain["A1"] < 0.3 < good["A1"]


def test_overlapping_or_tiny_text_loses_visuals(tmp_path: Path) -> None:
    good = scores(make_demo(tmp_path / "good"))["V1"]
    overlapping = scores(make_demo(tmp_path / "over", boxes=[[40, 20, 200, 40, 28], [60, 25, 200, 40, 28]]))["V1"]
    tiny = scores(make_demo(tmp_path / "tiny", boxes=[[40, 20, 200, 40, 9], [900, 20, 200, 40, 9]]))["V1"]
    assert overlapping < good
    assert tiny < good


def test_a_demo_that_crashed_counts_half(tmp_path: Path) -> None:
    demo = make_demo(tmp_path / "good")
    crashed = replace(demo, evidence=replace(demo.evidence, outcome=Outcome("crash", 90, "signal")))
    assert scores(crashed)["A1"] == pytest.approx(scores(demo)["A1"] / 2, abs=1e-3)


def test_what_another_demo_showed_already_adds_less(tmp_path: Path) -> None:
    first, second = make_demo(tmp_path / "one"), make_demo(tmp_path / "two")
    judged = OfflineJudge().judge(RUBRIC, [first, second])
    assert judged[1].scores["D1"] < judged[0].scores["D1"]


def test_without_the_untouched_run_it_does_not_guess(tmp_path: Path) -> None:
    demo = replace(make_demo(tmp_path / "good"), untouched=None)
    with pytest.raises(InfrastructureError, match="needs the replay without inputs"):
        OfflineJudge().judge(RUBRIC, [demo])


def test_no_pictures_and_no_state_is_a_zero_not_a_crash(tmp_path: Path) -> None:
    demo = make_demo(tmp_path / "good")
    (demo.folder / "state.jsonl").write_text('nonsense\n{"frame": "x"}\n[]\n{"frame": 1}\n')
    bare = replace(demo, evidence=replace(demo.evidence, stills=()))
    assert scores(bare)["A1"] == 0
    assert read_looks(demo.folder) == []


def test_the_same_evidence_is_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    demo = make_demo(tmp_path / "good")
    calls = []

    class Counting(OfflineJudge):
        def judge(self, rubric, demos, log=None, repeat=1):  # type: ignore[no-untyped-def]
            calls.append(1)
            return super().judge(rubric, demos, log, repeat)

    first = judge_once(Counting(), RUBRIC, [demo])
    assert judge_once(Counting(), RUBRIC, [demo]) == first
    assert len(calls) == 1
    judge_once(Counting(), replace(RUBRIC, digest="other"), [demo])
    judge_once(Counting(), RUBRIC, [demo], fresh=True)
    assert len(calls) == 3
