"""What an action is in events and frames; and the actions of several roles, laid over one another."""

from dataclasses import dataclass
from typing import Literal

from benchmark.play.actions import LETTER_FRAMES, Action
from benchmark.play.game import Button, Point
from benchmark.play.keys import key_of

EventKind = Literal["key_down", "key_up", "mouse_move", "mouse_down", "mouse_up", "wheel"]


@dataclass(frozen=True)
class InputEvent:
    """Something that happens before frame `frame` of a step."""

    frame: int
    kind: EventKind
    key: str = ""
    point: Point = (0.0, 0.0)
    button: Button = "left"


@dataclass(frozen=True)
class InputTimeline:
    """Events in their order, and how many frames pass in all."""

    frames: int
    events: tuple[InputEvent, ...] = ()


NOTHING = InputTimeline(0)


def timeline(action: Action) -> InputTimeline:
    """One action's."""
    last = action.frames
    if action.kind == "wait":
        return InputTimeline(last)
    if action.kind in ("press_key", "press_keys"):
        down = tuple(InputEvent(0, "key_down", key) for key in action.keys)
        return InputTimeline(last, (*down, *(InputEvent(last, "key_up", key) for key in reversed(action.keys))))
    if action.kind == "type":
        return _typed(action)
    if action.kind == "scroll":
        move = (InputEvent(0, "mouse_move", point=action.at),) if action.at else ()
        return InputTimeline(last, (*move, InputEvent(0, "wheel", point=action.delta)))
    assert action.at is not None
    move = (InputEvent(0, "mouse_move", point=action.at),)
    if action.kind == "mouse_move":
        onward = (InputEvent(1, "mouse_move", point=action.to),) if action.to else ()
        return InputTimeline(max(last, len(onward)), (*move, *onward))
    press, release = (
        InputEvent(0, "mouse_down", button=action.button),
        InputEvent(last, "mouse_up", button=action.button),
    )
    if action.kind == "drag":
        return InputTimeline(last, (*move, press, *_path(action), release))
    return InputTimeline(last, (*move, press, release))


def _typed(action: Action) -> InputTimeline:
    keys = [key_of(letter) or letter for letter in action.text] + (["Enter"] if action.enter else [])
    events: list[InputEvent] = []
    for place, key in enumerate(keys):
        events += [
            InputEvent(place * LETTER_FRAMES, "key_down", key),
            InputEvent(place * LETTER_FRAMES + LETTER_FRAMES - 1, "key_up", key),
        ]
    return InputTimeline(action.frames, tuple(events))


def _path(action: Action) -> tuple[InputEvent, ...]:
    """A move before every frame: what is dragged follows, as under a hand."""
    assert action.at is not None
    assert action.to is not None
    (x, y), (to_x, to_y) = action.at, action.to
    shares = ((frame, frame / action.frames) for frame in range(1, action.frames + 1))
    return tuple(
        InputEvent(frame, "mouse_move", point=(x + (to_x - x) * share, y + (to_y - y) * share))
        for frame, share in shares
    )


def together(timelines: tuple[InputTimeline, ...]) -> InputTimeline:
    """All at once: as long as the longest."""
    events = [event for one in timelines for event in one.events]
    return InputTimeline(
        max((one.frames for one in timelines), default=0), tuple(sorted(events, key=lambda one: one.frame))
    )
