"""A demo played a little differently: some of its inputs left out, some late. A film goes on as if nothing had been.

Beginning and end of what is held belong together, so a press goes with its release and a drag with its motions. Which
inputs it is, is drawn by lot from the content of project and trace.
"""

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from benchmark.replay.traces import FPS, Event, Trace, make_trace

HORIZON_FRAMES = 90  # what an input has brought about by then counts as its effect
MOST_CHANGES = 3  # of one run: once a game has gone another way, little is learned from changing more
_KEPT = 0.25  # of the inputs, at the beginning: they lead into the game
_LATEST_START = 0.6
_LATE_FRAMES = (8, 15)
_PAUSE_FRAMES = 15  # motions further apart are two movements

Change = Literal["left out", "late"]


@dataclass(frozen=True)
class Gesture:
    """What a player does in one go: a press with its release, a click, a movement. `events` are lines of the trace."""

    events: tuple[int, ...]
    begins: int
    ends: int
    presses: bool


@dataclass(frozen=True)
class Changed:
    """What was done to the gesture that begins with line `event` of the trace, on frame `frame`."""

    event: int
    type: str
    frame: int
    change: Change


@dataclass(frozen=True)
class Variation:
    """`trace` is played instead, up to its end; pictures are compared from `first` to `last`.

    `window` is that of the demo, up to there: what is not looked at as often as the demo is, a game can tell from it.
    """

    trace: Trace
    changes: tuple[Changed, ...]
    first: int
    window: tuple[int, int]

    @property
    def last(self) -> int:
        return self.window[1]

    def compares(self, frame: int) -> bool:
        """Whether this is one of the frames that are compared: one a second."""
        return self.first <= frame <= self.last and (frame - self.first) % FPS == 0


def gestures(trace: Trace) -> tuple[Gesture, ...]:
    """The inputs of a trace put together, by the frame on which each begins."""
    found: list[list[int]] = []
    held: dict[str, list[int]] = {}
    moving: list[int] | None = None
    for index, event in enumerate(trace.events):
        control = event.keycode or event.button or "left"
        if event.type == "mouse_move":
            dragging = next((held[name] for name in ("left", "right") if name in held), None)
            if dragging is not None:
                dragging.append(index)
            elif moving is not None and event.frame - trace.events[moving[-1]].frame <= _PAUSE_FRAMES:
                moving.append(index)
            else:
                moving = [index]
                found.append(moving)
        elif event.type in ("key_down", "mouse_down") and control not in held:
            held[control] = [index]
            found.append(held[control])
        elif control in held and event.type in ("key_down", "mouse_down", "key_up", "mouse_up"):
            held[control].append(index)
            if event.type in ("key_up", "mouse_up"):
                del held[control]
        elif event.type in ("key_press", "mouse_click"):
            found.append([index])
    return tuple(sorted((_gesture(trace.events, one) for one in found), key=lambda one: (one.begins, one.events)))


def _gesture(events: tuple[Event, ...], lines: list[int]) -> Gesture:
    frames = [events[line].frame for line in lines]
    return Gesture(tuple(lines), frames[0], frames[-1], events[lines[0]].type != "mouse_move")


def vary(trace: Trace, project_digest: str, window: tuple[int, int]) -> Variation | None:
    """Another way to play it from about its middle on, or None if it has nothing there to be played otherwise.

    `window`: from which frame to which the demo has pictures, at least one a second. They are what is compared.
    """
    deeds = [one for one in gestures(trace) if one.presses] or list(gestures(trace))
    inside = [one for one in deeds if window[0] <= one.begins <= window[1] - FPS]
    first, latest = int(len(inside) * _KEPT), int(len(inside) * _LATEST_START)
    if inside and inside[0] is deeds[0]:
        first = max(first, 1)  # the first of all starts the game
    lots = _lots(f"variation {project_digest} {trace.digest}")
    if first >= len(inside):
        return None
    begin = first + next(lots) % max(latest - first + 1, 1)
    chosen = inside[begin : begin + MOST_CHANGES]
    kinds: list[Change] = [("left out", "late")[next(lots) % 2] for _ in chosen]
    kinds[0] = "left out"
    late = {
        line: _LATE_FRAMES[0] + next(lots) % (_LATE_FRAMES[1] - _LATE_FRAMES[0] + 1)
        for one, kind in zip(chosen, kinds, strict=True)
        if kind == "late"
        for line in one.events[:1]
    }
    shifts = {line: late[one.events[0]] for one in chosen if one.events[0] in late for line in one.events}
    gone = {line for one, kind in zip(chosen, kinds, strict=True) if kind == "left out" for line in one.events}
    last = min(chosen[-1].begins + HORIZON_FRAMES, window[1])
    events = [
        replace(event, frame=event.frame + shifts.get(line, 0))
        for line, event in enumerate(trace.events)
        if line not in gone
    ]
    events = [event for event in sorted(events, key=lambda one: one.frame) if event.frame <= last]
    changes = tuple(
        Changed(one.events[0], trace.events[one.events[0]].type, one.begins, kind)
        for one, kind in zip(chosen, kinds, strict=True)
    )
    first = window[0] + (chosen[0].begins - window[0]) // FPS * FPS
    return Variation(
        make_trace("varied.json", trace.scenario, last + 1, tuple(events)), changes, first, (window[0], last)
    )


def _lots(seed: str) -> Iterator[int]:
    for number in itertools.count():
        yield int.from_bytes(hashlib.sha256(f"{seed} {number}".encode()).digest()[:8], "big")
