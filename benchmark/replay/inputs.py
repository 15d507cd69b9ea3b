"""From trace events to the presses, releases and motions both recorders send.

Worked out once, here, so that the two recorders cannot disagree and the result can be tested without
an engine.
"""

from dataclasses import dataclass, replace
from typing import Literal

from benchmark.replay.traces import FPS, HEIGHT, WIDTH, Event, Trace

HOLD_FRAMES = 1  # press and release in one frame would never be seen by a game that polls
REPEAT_DELAY_MSEC, REPEAT_INTERVAL_MSEC = 660, 40  # what an X server does with a held key
POINTER_START = (WIDTH // 2, HEIGHT // 2)  # where a fresh X server has it
_MODIFIERS = ("SHIFT", "CTRL", "ALT")


@dataclass(frozen=True)
class Input:
    """One low-level input, to arrive before frame `frame` is processed. `event` is its line in the trace."""

    frame: int
    kind: Literal["motion", "button", "key"]
    event: int
    x: int = 0
    y: int = 0
    button: str = ""
    keycode: str = ""
    pressed: bool = False
    echo: bool = False


def expand(trace: Trace) -> tuple[Input, ...]:
    """All inputs of a trace in the order they are sent; those after its last frame are dropped."""
    inputs: list[Input] = []
    for index, event in enumerate(trace.events):
        inputs += _expand_event(index, event)
    inputs.sort(key=lambda item: item.frame)  # stable: a release due now precedes a new press
    inputs = _release_before_press(_without_idle_motion(inputs))
    inputs += _repeats(inputs, trace.duration_frames)
    inputs.sort(key=lambda item: item.frame)
    return tuple(item for item in inputs if item.frame < trace.duration_frames)


def _expand_event(index: int, event: Event) -> list[Input]:
    frame = event.frame
    if event.type == "wait":
        return []
    if event.keycode is not None:
        press = Input(frame, "key", index, keycode=event.keycode, pressed=True)
        if event.type == "key_press":
            return [press, Input(frame + HOLD_FRAMES, "key", index, keycode=event.keycode)]
        return [press] if event.type == "key_down" else [Input(frame, "key", index, keycode=event.keycode)]
    assert event.x is not None
    assert event.y is not None
    motion = Input(frame=frame, kind="motion", event=index, x=event.x, y=event.y)
    if event.type == "mouse_move":
        return [motion]
    release = Input(frame=frame, kind="button", event=index, x=event.x, y=event.y, button=event.button or "left")
    press = replace(release, pressed=True)
    if event.type == "mouse_down":
        return [motion, press]
    if event.type == "mouse_up":
        return [motion, release]
    return [motion, press, replace(release, frame=frame + HOLD_FRAMES)]


def _without_idle_motion(inputs: list[Input]) -> list[Input]:
    """An X server reports no motion to where the pointer already is."""
    pointer = POINTER_START
    result: list[Input] = []
    for item in inputs:
        if item.kind == "motion" and (item.x, item.y) == pointer:
            continue
        pointer = (item.x, item.y) if item.kind == "motion" else pointer
        result.append(item)
    return result


def _release_before_press(inputs: list[Input]) -> list[Input]:
    """A second click or key press while the first is still held ends the first one early."""
    result: list[Input] = []
    held: set[tuple[str, str]] = set()
    for item in inputs:
        if item.kind == "motion":
            result.append(item)
            continue
        control = (item.kind, item.button or item.keycode)
        if item.pressed and control in held:
            result.append(replace(item, pressed=False))
        elif not item.pressed and control not in held:
            continue  # already released, or never pressed: an X server ignores it too
        held.add(control) if item.pressed else held.discard(control)
        result.append(item)
    return result


def _repeats(inputs: list[Input], duration_frames: int) -> list[Input]:
    """Key repeat: the key pressed last repeats while it is held; modifiers do not repeat."""
    repeats: list[Input] = []
    keys = [item for item in inputs if item.kind == "key" and item.keycode not in _MODIFIERS]
    for position, item in enumerate(keys):
        if not item.pressed:
            continue
        ends = (k.frame for k in keys[position + 1 :] if k.pressed or k.keycode == item.keycode)
        end = next(ends, duration_frames)
        msec = REPEAT_DELAY_MSEC
        while (frame := item.frame + -(-msec * FPS // 1000)) < end:
            repeats.append(Input(frame, "key", item.event, keycode=item.keycode, pressed=True, echo=True))
            msec += REPEAT_INTERVAL_MSEC
    return repeats
