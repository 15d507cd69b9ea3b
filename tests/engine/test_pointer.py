"""The pointer in the pictures of a real game: where a player would see it, and in nothing that is measured."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmark.craft.judging.offline.observed import look_at
from benchmark.craft.replay_stage import show
from benchmark.replay.build_gate import check_build
from benchmark.replay.counterfactual import compare, with_fingerprints
from benchmark.replay.evidence import Evidence, RecorderSettings, Still
from benchmark.replay.pointer import RING_COLOURS
from benchmark.replay.recordings import Studio, record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.traces import Event, Trace, make_trace
from benchmark.runtime.machine import Machine

pytestmark = pytest.mark.engine


@pytest.fixture
def pointed(games: Path) -> Path:
    return games / "pointed"


def demo(scenario: str | None, *events: Event) -> Trace:
    return make_trace("demo_outputs/01.json", scenario, 60, events)


def record(machine: Machine, project: Path, trace: Trace | None, out: Path, **settings: object) -> Evidence:
    gate = check_build(project, machine)
    assert gate.prepared is not None
    out.mkdir()
    chosen = RecorderSettings(**{"video_fps": 10, "still_quality": 100, **settings})  # type: ignore[arg-type]
    return record_fresh(gate.prepared, TakeOrder(trace or gate.traces.traces[0], chosen), machine, out, 2)


def drawn_at(folder: Path, still: Still) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of all that we drew into a still."""
    if still.bare is None:
        return None
    shown, bare = cv2.imread(str(folder / still.file)), cv2.imread(str(folder / still.bare))
    assert shown is not None
    assert bare is not None
    rows, columns = np.nonzero(cv2.absdiff(shown, bare).max(axis=2) > 24)
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


def has_colour(folder: Path, still: Still, button: str) -> bool:
    picture = cv2.imread(str(folder / still.file))
    assert picture is not None
    return bool((np.abs(picture.astype(int) - RING_COLOURS[button]).max(axis=2) < 40).any())


def test_it_is_where_the_inputs_moved_it_though_the_game_s_picture_stands_still(
    machine: Machine, pointed: Path, tmp_path: Path
) -> None:
    evidence = record(machine, pointed, None, tmp_path / "demo")
    assert len({still.pixels for still in evidence.stills}) == 1
    boxes = [drawn_at(tmp_path / "demo", still) for still in evidence.stills]
    # at rest in the middle; moved; right button down since 31, dragged along; still held
    for box, (x, y) in zip(boxes[:2], [(640, 360), (320, 200)], strict=True):
        assert box is not None
        assert abs(box[0] - x * 854 / 1280) <= 4
        assert abs(box[1] - y * 854 / 1280) <= 4
    for index, (x, y) in ((2, (900, 500)), (3, (1000, 90))):
        box = boxes[index]
        assert box is not None
        assert box[0] < x * 854 / 1280 < box[2]
        assert box[1] < y * 854 / 1280 < box[3]


def test_a_click_of_one_frame_is_seen_in_the_still_after_it(machine: Machine, pointed: Path, tmp_path: Path) -> None:
    evidence = record(machine, pointed, None, tmp_path / "demo")
    glow = {button: [has_colour(tmp_path / "demo", s, button) for s in evidence.stills] for button in RING_COLOURS}
    assert glow["right"] == [False, False, False, True]
    shown = cv2.imread(str(tmp_path / "demo" / evidence.stills[2].file))  # frame 30: the click was on 16, it is fading
    bare = cv2.imread(str(tmp_path / "demo" / str(evidence.stills[2].bare)))
    assert shown is not None
    assert bare is not None
    x, y = round(900 * 854 / 1280), round(500 * 854 / 1280)
    above = cv2.absdiff(shown, bare)[y - 20 : y - 8, x - 4 : x + 4]
    assert above.max() > 60  # the ring, above the arrow's tip


def test_hashes_and_bare_stills_are_those_of_a_recording_without_it(
    machine: Machine, pointed: Path, tmp_path: Path
) -> None:
    with_it = record(machine, pointed, None, tmp_path / "with")
    without = record(machine, pointed, None, tmp_path / "without", pointer=False)
    assert with_it.pixels == without.pixels
    for one, two in zip(with_it.stills, without.stills, strict=True):
        assert two.bare is None
        assert one.pixels == two.pixels
        assert (tmp_path / "with" / one.measured).read_bytes() == (tmp_path / "without" / two.file).read_bytes()
        assert (tmp_path / "with" / one.file).read_bytes() != (tmp_path / "without" / two.file).read_bytes()
    assert with_it.video is not None
    assert without.video is not None
    assert with_it.video.sha256 != without.video.sha256
    again = record(machine, pointed, None, tmp_path / "again")
    assert again.digest == with_it.digest


@pytest.mark.parametrize("scenario", ["narrow", "items", "small"])
def test_it_points_at_what_the_player_points_at_in_a_game_of_another_size(
    machine: Machine, pointed: Path, tmp_path: Path, scenario: str
) -> None:
    # The target's middle, in the window: 320, 200 of 640×480, which are shown 1.5 times as large, 160 from the left;
    # in a window of 800×600 the game is not scaled.
    x, y = (320, 200) if scenario == "small" else (160 + 480, 300)
    evidence = record(machine, pointed, demo(scenario, Event("mouse_move", 2, x=x, y=y)), tmp_path / "demo")
    still = evidence.stills[-1]
    box = drawn_at(tmp_path / "demo", still)
    bare = cv2.imread(str(tmp_path / "demo" / str(still.bare)))
    assert box is not None
    assert bare is not None
    rows, columns = np.nonzero((bare[:, :, 2] > 160) & (bare[:, :, 1] < 80))
    assert abs(box[0] - (columns.min() + columns.max()) / 2) <= 4
    assert abs(box[1] - (rows.min() + rows.max()) / 2) <= 4


@pytest.mark.parametrize("scenario", ["hidden", "captured"])
def test_it_is_gone_while_the_game_hides_it(machine: Machine, pointed: Path, tmp_path: Path, scenario: str) -> None:
    moves = [Event("mouse_move", frame, x=100 + frame, y=200) for frame in (5, 25, 45)]
    evidence = record(machine, pointed, demo(scenario, *moves), tmp_path / "demo")
    assert [still.bare is not None for still in evidence.stills] == [True, True, False, True]


def test_a_demo_of_keys_alone_has_none(machine: Machine, pointed: Path, tmp_path: Path) -> None:
    evidence = record(machine, pointed, demo(None, Event("key_press", 5, keycode="A")), tmp_path / "demo")
    assert all(still.bare is None for still in evidence.stills)
    assert not (tmp_path / "demo/bare").exists()


def test_a_game_that_ignores_the_mouse_is_measured_as_if_nobody_had_touched_it(
    machine: Machine, pointed: Path, tmp_path: Path
) -> None:
    gate = check_build(pointed, machine)
    assert gate.prepared is not None
    sights = []
    for pointer in (True, False):
        settings = RecorderSettings(video_fps=0, pointer=pointer)
        demos = show(
            gate.prepared, gate.traces.traces, settings, Studio(machine), tmp_path / str(pointer), untouched=True
        )
        assert any(still.bare for still in demos[0].evidence.stills) == pointer
        sights.append(look_at(demos)[0])
    seen, plain = sights
    assert seen.counterfactual == plain.counterfactual
    assert seen.counterfactual.first_departure is None
    assert (seen.counterfactual.apart_share, seen.counterfactual.mean_distance) == (0, 0)
    assert not any(seen.apart)
    assert not any(seen.steps)
    assert (seen.new_views, seen.visible, seen.steps) == (plain.new_views, plain.visible, plain.steps)


def test_pictures_that_differ_are_compared_without_it(machine: Machine, pointed: Path, tmp_path: Path) -> None:
    """The distance of two runs is that of the games, wherever the pointer is."""
    trace = demo("narrow", Event("mouse_move", 2, x=640, y=300))
    distances = []
    for pointer in (True, False):
        settings = with_fingerprints(RecorderSettings(video_fps=0, pointer=pointer))
        folders = [tmp_path / f"{pointer}{part}" for part in ("played", "other")]
        played = record(machine, pointed, trace, folders[0], **vars(settings))
        other = record(machine, pointed, replace(trace.without_inputs(), scenario=None), folders[1], **vars(settings))
        distances.append(compare(trace, played, other, *folders).mean_distance)
    assert distances[0] == distances[1] > 0
