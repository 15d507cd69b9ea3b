"""What an action is in events and frames; and the actions of several roles, laid over one another."""

from dataclasses import dataclass
from typing import Literal

from benchmark.play.actions import LETTER_FRAMES, Action
from benchmark.play.game import Button, Point
from benchmark.play.keys import key_of

EventKind = Literal["key_down", "key_up", "mouse_move", "mouse_down", "mouse_up", "wheel"]


@dataclass(frozen=True)
class Event:
    """Something that happens before frame `frame` of a step."""

    frame: int
    kind: EventKind
    key: str = ""
    point: Point = (0.0, 0.0)
    button: Button = "left"


@dataclass(frozen=True)
class Timeline:
    """Events in their order, and how many frames pass in all."""

    frames: int
    events: tuple[Event, ...] = ()


NOTHING = Timeline(0)


def timeline(action: Action) -> Timeline:
    """One action's."""
    last = action.frames
    if action.kind == "wait":
        return Timeline(last)
    if action.kind in ("press_key", "press_keys"):
        down = tuple(Event(0, "key_down", key) for key in action.keys)
        return Timeline(last, (*down, *(Event(last, "key_up", key) for key in reversed(action.keys))))
    if action.kind == "type":
        return _typed(action)
    if action.kind == "scroll":
        move = (Event(0, "mouse_move", point=action.at),) if action.at else ()
        return Timeline(last, (*move, Event(0, "wheel", point=action.delta)))
    assert action.at is not None
    move = (Event(0, "mouse_move", point=action.at),)
    if action.kind == "mouse_move":
        onward = (Event(1, "mouse_move", point=action.to),) if action.to else ()
        return Timeline(max(last, len(onward)), (*move, *onward))
    press, release = (
        Event(0, "mouse_down", button=action.button),
        Event(last, "mouse_up", button=action.button),
    )
    if action.kind == "drag":
        return Timeline(last, (*move, press, *_path(action), release))
    return Timeline(last, (*move, press, release))


def _typed(action: Action) -> Timeline:
    keys = [key_of(letter) or letter for letter in action.text] + (["Enter"] if action.enter else [])
    events: list[Event] = []
    for place, key in enumerate(keys):
        events += [
            Event(place * LETTER_FRAMES, "key_down", key),
            Event(place * LETTER_FRAMES + LETTER_FRAMES - 1, "key_up", key),
        ]
    return Timeline(action.frames, tuple(events))


def _path(action: Action) -> tuple[Event, ...]:
    """A move before every frame: what is dragged follows, as under a hand."""
    assert action.at is not None
    assert action.to is not None
    (x, y), (to_x, to_y) = action.at, action.to
    shares = ((frame, frame / action.frames) for frame in range(1, action.frames + 1))
    return tuple(
        Event(frame, "mouse_move", point=(x + (to_x - x) * share, y + (to_y - y) * share)) for frame, share in shares
    )


def together(timelines: tuple[Timeline, ...]) -> Timeline:
    """All at once: as long as the longest."""
    events = [event for one in timelines for event in one.events]
    return Timeline(max((one.frames for one in timelines), default=0), tuple(sorted(events, key=lambda one: one.frame)))


def then(first: Timeline, second: Timeline) -> Timeline:
    """One after the other."""
    moved = tuple(Event(one.frame + first.frames, one.kind, one.key, one.point, one.button) for one in second.events)
    return Timeline(first.frames + second.frames, (*first.events, *moved))
