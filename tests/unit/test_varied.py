"""A demo played a little differently: which inputs are changed, and what is made of the comparison."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmark.craft.judging.cache import judge_once
from benchmark.craft.judging.offline.judge import OfflineJudge
from benchmark.replay.counterfactual import (
    Counterfactual,
    VariedRun,
    compare_varied,
    read_counterfactual,
    write_counterfactual,
)
from benchmark.replay.evidence import Evidence, FrameStatistics, Outcome, RecorderSettings, Still, write_evidence
from benchmark.replay.inputs import expand
from benchmark.replay.traces import Event, Trace, make_trace
from benchmark.replay.varied import Variation, gestures, vary
from tests.samples import make_demo
from tests.unit.test_offline_judge import RUBRIC

FRAMES = 400
WHOLE = (0, FRAMES - 1)


def keys(*frames: int) -> tuple[Event, ...]:
    return tuple(
        event
        for frame in frames
        for event in (Event("key_down", frame, keycode="A"), Event("key_up", frame + 5, keycode="A"))
    )


def trace(events: tuple[Event, ...]) -> Trace:
    return make_trace("01.json", None, FRAMES, events)


LONG = trace(keys(*range(10, 390, 20)))


def test_what_is_done_in_one_go_stays_together() -> None:
    found = gestures(
        trace(
            (
                Event("mouse_move", 1, 5, 5),
                Event("mouse_move", 4, 9, 9),
                Event(type="mouse_down", frame=8, x=9, y=9, button="left"),
                Event("mouse_move", 10, 50, 9),
                Event("key_down", 11, keycode="SHIFT"),
                Event(type="mouse_up", frame=12, x=50, y=9, button="left"),
                Event("key_up", 30, keycode="SHIFT"),
                Event("mouse_move", 31, 7, 7),
                Event("key_press", 40, keycode="Q"),
                Event("mouse_click", 41, 1, 1),
            )
        )
    )
    assert [one.events for one in found] == [(0, 1), (2, 3, 5), (4, 6), (7,), (8,), (9,)]
    assert [one.presses for one in found] == [False, True, True, False, True, True]


@pytest.mark.parametrize("salt", range(20))
def test_presses_keep_their_releases_and_the_beginning_stays(salt: int) -> None:
    varied = vary(LONG, f"project {salt}", WHOLE)
    assert varied is not None
    begin = varied.changes[0].frame
    assert 10 + 20 * 4 <= begin <= 10 + 20 * 12
    assert varied.changes[0].change == "left out"
    before = [event for event in LONG.events if event.frame < begin]
    assert list(varied.trace.events[: len(before)]) == before
    pressed = [item.pressed for item in expand(varied.trace) if not item.echo]
    assert pressed == [index % 2 == 0 for index in range(len(pressed))]
    assert (varied.first % 30, varied.last) == (0, varied.trace.duration_frames - 1)
    assert varied.last - begin < 3 * 20 + 90


def test_the_lot_is_drawn_from_project_and_inputs() -> None:
    def places(*seeds: str) -> set[tuple[int, ...]]:
        found = [vary(LONG, seed, WHOLE) for seed in seeds]
        return {tuple(change.frame for change in one.changes) for one in found if one is not None}

    assert len(places("a", "a", "a")) == 1
    assert len(places(*map(str, range(40)))) > 5


def test_a_demo_with_nothing_but_its_beginning_is_not_varied() -> None:
    assert vary(trace(()), "p", WHOLE) is None
    assert vary(trace(keys(10)), "p", WHOLE) is None
    assert vary(trace(keys(395)), "p", WHOLE) is None


def run(folder: Path, shows: dict[int, int], prints: dict[int, int]) -> Evidence:
    """A run that shows, on each still, a white square whose left edge stands there."""
    (folder / "frames").mkdir(parents=True)
    stills = []
    for frame, place in shows.items():
        picture = np.zeros((480, 854, 3), np.uint8)
        picture[100:300, place : place + 200] = 255
        name = f"frames/{frame:05d}.jpg"
        cv2.imwrite(str(folder / name), picture)
        stills.append(Still(frame, frame / 30, name, str(place)))
    (folder / "fingerprints.json").write_text(json.dumps(sorted(prints.items())), encoding="ascii")
    length = max(prints) + 1
    pixels = tuple((still.frame, still.pixels) for still in stills)
    evidence = Evidence(
        demo="01.json", scenario=None, project_digest="p", trace_digest="t", engine_version="4.6",
        settings=RecorderSettings(), outcome=Outcome("complete", length), window=(0, length - 1),
        frames=FrameStatistics(length, length), stills=tuple(stills), video=None, pixels=pixels, inputs_sent=0,
        inputs_delivered=0, messages=(),
    )  # fmt: skip
    write_evidence(evidence, folder)
    return evidence


@pytest.fixture
def variation() -> Variation:
    found = vary(LONG, "project", WHOLE)
    assert found is not None
    return found


def result(tmp_path: Path, variation: Variation, moved: int, parts_at: int | None) -> VariedRun:
    frames = range(variation.first, variation.last + 1, 30)
    own = {frame: 20 * index for index, frame in enumerate(frames)}
    prints = dict.fromkeys(range(FRAMES), 1)
    other = {frame: place + (moved if parts_at is not None and frame > parts_at else 0) for frame, place in own.items()}
    apart = {frame: 2 if parts_at is not None and frame >= parts_at else 1 for frame in range(variation.last + 1)}
    played = run(tmp_path / "played", own, prints)
    varied = run(tmp_path / "varied", other, apart)
    return compare_varied(variation, played, varied, tmp_path / "played", tmp_path / "varied")


def test_a_film_goes_on_as_it_was(tmp_path: Path, variation: Variation) -> None:
    found = result(tmp_path, variation, 0, None)
    assert (found.share, found.first_departure) == (0, None)
    assert [one.made_difference for one in found.inputs] == [False] * 3
    assert "0 of 3 changed inputs" in found.describe()


def test_what_only_the_state_log_claims_is_no_answer(tmp_path: Path, variation: Variation) -> None:
    found = result(tmp_path, variation, 0, variation.changes[0].frame)
    assert found.first_departure == variation.changes[0].frame
    assert (found.answered, found.judged) == (0, 3)


def test_the_input_before_the_runs_part_made_the_difference(tmp_path: Path, variation: Variation) -> None:
    second = variation.changes[1].frame
    found = result(tmp_path, variation, 300, second + 2)
    assert found.share > 0.3
    assert [one.made_difference for one in found.inputs] == [False, True, None]
    assert (found.answered, found.judged) == (1, 2)


def test_it_is_written_and_read_and_older_files_are_read_too(tmp_path: Path, variation: Variation) -> None:
    found = Counterfactual(
        effects=(),
        first_departure=3,
        apart_share=0.5,
        mean_distance=0.1,
        varied=result(tmp_path, variation, 300, variation.changes[0].frame),
        format=2,
    )
    write_counterfactual(tmp_path, found)
    assert read_counterfactual(tmp_path) == found
    old = {"effects": [], "first_departure": 3, "apart_share": 0.5, "mean_distance": 0.1}
    (tmp_path / "counterfactual.json").write_text(json.dumps(old), encoding="utf-8")
    assert read_counterfactual(tmp_path).varied is None


def test_the_offline_judge_tells_a_film_from_a_game_and_leaves_old_evidence_alone(tmp_path: Path) -> None:
    demo = make_demo(tmp_path / "demo")
    before = OfflineJudge().judge(RUBRIC, [demo])[0].scores
    written = read_counterfactual(demo.folder)

    def scores(share: float) -> dict[str, float]:
        write_counterfactual(
            demo.folder,
            replace(
                written, varied=VariedRun(inputs=(), first_departure=3, pictures=5, share=share, seen_at=30), format=2
            ),
        )
        return OfflineJudge().judge(RUBRIC, [demo])[0].scores

    game, film = scores(0.5), scores(0.02)
    write_counterfactual(demo.folder, replace(written, varied=None, format=1))  # from before there were varied runs
    assert game == before == OfflineJudge().judge(RUBRIC, [demo])[0].scores
    write_counterfactual(demo.folder, replace(written, varied=None))  # nothing to be changed in it
    assert film["M1"] < OfflineJudge().judge(RUBRIC, [demo])[0].scores["M1"] < game["M1"]
    assert film["M1"] < 0.2 * game["M1"]
    assert film["D1"] < 0.2 * game["D1"]
    assert film["A1"] == game["A1"]


def test_old_evidence_is_not_remembered_for_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    demo = make_demo(tmp_path / "demo")
    written = read_counterfactual(demo.folder)
    write_counterfactual(demo.folder, replace(written, varied=None, format=1))
    old = judge_once(OfflineJudge(), RUBRIC, [demo])[0].scores
    write_counterfactual(
        demo.folder,
        replace(written, varied=VariedRun(inputs=(), first_departure=None, pictures=5, share=0.0, seen_at=None)),
    )
    assert judge_once(OfflineJudge(), RUBRIC, [demo])[0].scores["M1"] < 0.2 * old["M1"]
