"""From trace events to presses and releases."""

from benchmark.replay.inputs import Input, expand
from benchmark.replay.traces import Event, make_trace


def inputs(*events: Event, frames: int = 60) -> list[tuple[int, str, bool]]:
    return [
        (i.frame, i.button or i.keycode or "move", i.pressed) for i in expand(make_trace("t", None, frames, events))
    ]


def test_a_click_moves_presses_and_is_held_for_one_frame() -> None:
    assert inputs(Event(type="mouse_click", frame=5, x=10, y=20, button="left")) == [
        (5, "move", False),
        (5, "left", True),
        (6, "left", False),
    ]


def test_a_key_press_is_held_for_one_frame() -> None:
    assert inputs(Event("key_press", 5, keycode="A")) == [(5, "A", True), (6, "A", False)]


def test_a_second_press_on_the_same_frame_ends_the_first() -> None:
    twice = inputs(Event("key_press", 5, keycode="A"), Event("key_press", 5, keycode="A"))
    assert twice == [(5, "A", True), (5, "A", False), (5, "A", True), (6, "A", False)]


def test_clicks_on_following_frames_release_before_they_press() -> None:
    twice = inputs(
        Event(type="mouse_click", frame=5, x=1, y=1, button="left"),
        Event(type="mouse_click", frame=6, x=1, y=1, button="left"),
    )
    assert [row for row in twice if row[1] == "left"] == [
        (5, "left", True), (6, "left", False), (6, "left", True), (7, "left", False),
    ]  # fmt: skip


def test_a_release_without_a_press_is_not_sent() -> None:
    assert inputs(Event("key_up", 5, keycode="A")) == []


def test_waiting_sends_nothing() -> None:
    assert inputs(Event("wait", 5)) == []


def test_what_would_come_after_the_last_frame_is_dropped() -> None:
    assert inputs(Event("key_press", 9, keycode="A"), frames=10) == [(9, "A", True)]


def test_a_held_key_repeats_as_an_x_server_does() -> None:
    expanded = expand(make_trace("t", None, 60, (Event("key_down", 0, keycode="A"), Event("key_up", 30, keycode="A"))))
    repeats = [i.frame for i in expanded if i.echo]
    assert repeats == [20, 21, 23, 24, 25, 26, 27, 29]  # 660 ms, then every 40 ms until the release


def test_modifiers_do_not_repeat_and_the_last_key_wins() -> None:
    events = (
        Event("key_down", 0, keycode="SHIFT"), Event("key_down", 0, keycode="A"), Event("key_down", 5, keycode="B"),
    )  # fmt: skip
    echoes = {i.keycode for i in expand(make_trace("t", None, 60, events)) if i.echo}
    assert echoes == {"B"}


def test_inputs_are_ordered_and_name_their_event() -> None:
    expanded = expand(
        make_trace(
            "t",
            None,
            60,
            (
                Event(type="mouse_down", frame=3, x=1, y=2, button="right"),
                Event(type="mouse_up", frame=9, x=4, y=5, button="right"),
            ),
        )
    )
    assert expanded == tuple(sorted(expanded, key=lambda i: i.frame))
    assert expanded[-1] == Input(
        frame=9, kind="button", event=1, x=4, y=5, button="right", keycode="", pressed=False, echo=False
    )
