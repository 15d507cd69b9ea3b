"""The pointer by the inputs alone: where it is, which rings glow, what nonsense does to it."""

import numpy as np
import pytest

from benchmark.replay.inputs import POINTER_START, expand
from benchmark.replay.pictures import fitting
from benchmark.replay.pointer import MAX_RINGS, Picture, Pointer, PointerTrack, Ring, track_pointer
from benchmark.replay.traces import Event, make_trace


def track(*events: Event, frames: int = 120) -> PointerTrack:
    trace = make_trace("demo_outputs/01.json", None, frames, events)
    found = track_pointer(trace, expand(trace))
    assert found is not None
    return found


def ground(grey: int = 90) -> Picture:
    return np.full((480, 854, 3), grey, np.uint8)


def test_it_rests_in_the_middle_until_it_is_moved() -> None:
    found = track(Event("mouse_move", 10, x=5, y=6), Event("mouse_move", 10, x=7, y=8))
    assert [found.at(frame) for frame in (0, 9, 10, 100)] == [POINTER_START, POINTER_START, (7, 8), (7, 8)]


def test_keys_alone_have_no_pointer() -> None:
    trace = make_trace("demo_outputs/01.json", None, 60, (Event("key_press", 3, keycode="A"),))
    assert track_pointer(trace, expand(trace)) is None


@pytest.mark.parametrize("frame", range(30, 45))
def test_a_click_is_on_a_still_whichever_frame_it_falls_on(frame: int) -> None:
    found = track(Event("mouse_click", frame, x=50, y=60, button="left"))
    seen = [still for still in range(0, 120, 15) if still in found.rings]
    assert len(seen) == 1
    assert seen[0] >= frame
    assert found.rings[frame] == (Ring("left", 50, 60, 0),)


def test_a_ring_goes_along_with_a_drag_and_stays_where_it_was_let_go() -> None:
    found = track(
        Event("mouse_down", 10, x=100, y=100, button="left"),
        Event("mouse_move", 15, x=200, y=100),
        Event("mouse_up", 20, x=300, y=100, button="left"),
        Event("mouse_move", 22, x=600, y=600),
    )
    assert [found.rings[frame][0].x for frame in (10, 14, 15, 20, 25)] == [100, 100, 200, 300, 300]
    assert [found.rings[frame][0].age for frame in (10, 19, 20, 33)] == [0, 0, 1, 14]
    assert 34 not in found.rings


def test_a_button_held_to_the_end_glows_to_the_end() -> None:
    found = track(Event("mouse_down", 10, x=1, y=2, button="right"), frames=90)
    assert found.rings[89] == (Ring("right", 1, 2, 0),)


def test_hundreds_of_clicks_on_one_frame_are_a_handful_of_rings() -> None:
    events = [Event("mouse_click", 10, x=n, y=n, button="left") for n in range(1000)]
    assert all(len(rings) <= MAX_RINGS for rings in track(*events).rings.values())


def test_it_is_drawn_over_a_copy_and_cut_off_at_the_edge() -> None:
    picture = ground()
    pointer = Pointer(track(Event("mouse_click", 0, x=1279, y=719, button="left")))
    shown = pointer.over(picture, 0, fitting(1280, 720))
    assert (picture == 90).all()
    assert (shown[-1, -1] != 90).any()
    assert (shown[:440, :800] == 90).all()


def test_outside_the_picture_there_is_nothing_to_draw() -> None:
    pointer = Pointer(track(Event("mouse_move", 0, x=4000, y=-900)))
    assert (pointer.over(ground(), 0, fitting(1280, 720)) == 90).all()


@pytest.mark.parametrize("grey", [0, 90, 255])
def test_it_can_be_told_from_any_ground(grey: int) -> None:
    pointer = Pointer(track(Event("mouse_move", 0, x=640, y=300)))
    shown = pointer.over(ground(grey), 0, fitting(1280, 720)).astype(int)
    assert abs(shown - grey).max() > 120


@pytest.mark.parametrize(
    "told",
    [
        None, 7, [], {"to_picture": "x"}, {"to_picture": [1, 2]}, {"to_picture": [1e300, 1, 1, 1]},
        {"to_picture": [float("nan"), 1, 0, 0]}, {"to_picture": [None, 1, 0, 0]},
    ],
)  # fmt: skip
def test_nonsense_from_the_game_moves_nothing(told: object) -> None:
    pointer = Pointer(track(Event("mouse_move", 0, x=640, y=300)))
    before = pointer.over(ground(), 0, fitting(1280, 720))
    pointer.learn(told)
    assert (pointer.over(ground(), 0, fitting(1280, 720)) == before).all()
    pointer.learn({"shown": False})
    assert pointer.over(before, 0, fitting(1280, 720)) is before
