"""The inputs of a demo on its time line: one lane per key or button, positions in percent of the strip's width."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchmark.craft.report.reading import DemoFiles, EffectOfInput, ShownInput, ShownStill
from benchmark.replay.traces import FPS

CLICK_FRAMES = 4  # a button held longer than this is drawn as long as it was held
# caused: the game departed from the untouched run. apart: it had before. none: no departure within half a second.
Effect = Literal["caused", "apart", "none", "unknown"]


@dataclass(frozen=True)
class Mark:
    """One press (with its release), click or move."""

    shape: Literal["bar", "dot", "move"]
    left: float
    width: float
    frame: int
    effect: Effect
    title: str


@dataclass(frozen=True)
class Lane:
    name: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Slot:
    """A place in the strip; `still` is None where the picture is missing."""

    frame: int
    still: ShownStill | None
    departs: bool


@dataclass(frozen=True)
class Timeline:
    """`frames` is what the whole width stands for, in frames of the demo."""

    first_frame: int
    frames: int
    slots: tuple[Slot, ...]
    lanes: tuple[Lane, ...]
    ticks: tuple[tuple[float, str], ...]
    departure: float | None
    outside: int


def seconds(frame: int) -> str:
    return f"{frame / FPS:.1f} s"


def lay_out(demo: DemoFiles) -> Timeline:
    """Slots, lanes and ticks of a demo."""
    length = demo.last_frame - demo.first_frame + 1
    count = math.ceil(length / demo.still_every)
    frames = count * demo.still_every

    def percent(frame: float) -> float:
        return round((frame - demo.first_frame) / frames * 100, 3)

    by_slot = {(still.frame - demo.first_frame) // demo.still_every: still for still in demo.stills}
    slots = []
    for index in range(count):
        frame = demo.first_frame + index * demo.still_every
        departs = demo.first_departure is not None and frame <= demo.first_departure < frame + demo.still_every
        slots.append(Slot(frame, by_slot.get(index), departs))
    shown = [item for item in demo.inputs if demo.first_frame <= item.frame <= demo.last_frame]
    first_tick = math.ceil(demo.first_frame / FPS)
    ticks = [(percent(second * FPS), str(second)) for second in range(first_tick, demo.last_frame // FPS + 1)]
    inside = demo.first_departure is not None and demo.first_frame <= demo.first_departure <= demo.last_frame
    return Timeline(
        first_frame=demo.first_frame,
        frames=frames,
        slots=tuple(slots),
        lanes=tuple(_lanes(demo, shown, percent(1 + demo.first_frame))),
        ticks=tuple(ticks),
        departure=percent(demo.first_departure) if inside and demo.first_departure is not None else None,
        outside=len(demo.inputs) - len(shown),
    )


def _lanes(demo: DemoFiles, shown: list[ShownInput], frame_width: float) -> list[Lane]:
    """Keys in the order of their first use, then buttons, then the pointer."""

    def left(frame: int) -> float:
        return round((frame - demo.first_frame) * frame_width, 3)

    lanes: dict[tuple[int, str], list[Mark]] = {}
    for item, released in presses(shown, demo.last_frame):
        key = item.kind == "key"
        name = item.control if key else f"{item.control or 'left'} click"
        held = max(released - item.frame, 1)
        effect = _effect_of(demo.effects.get(item.event))
        shape: Literal["bar", "dot"] = "bar" if key or held > CLICK_FRAMES else "dot"
        place = "" if item.x is None or item.y is None else f" at {item.x}, {item.y}"
        what = f"{name}{place}, {seconds(item.frame)} (frame {item.frame}), held {held} frame{'s' * (held > 1)}"
        title = f"{what}: {_words(effect, demo.effects.get(item.event), item.delivered)}".removesuffix(": ")
        mark = Mark(
            shape=shape,
            left=left(item.frame),
            width=round(held * frame_width, 3),
            frame=item.frame,
            effect=effect,
            title=title,
        )
        lanes.setdefault((0 if key else 1, name), []).append(mark)
    moves = {item.frame: item for item in shown if item.kind == "motion" and item.type == "mouse_move"}
    for frame, item in sorted(moves.items()):
        title = f"pointer to {item.x}, {item.y}, {seconds(frame)} (frame {frame})"
        effect = _effect_of(demo.effects.get(item.event))
        mark = Mark(shape="move", left=left(frame), width=frame_width, frame=frame, effect=effect, title=title)
        lanes.setdefault((2, "pointer"), []).append(mark)
    ordered = sorted(lanes.items(), key=lambda entry: entry[0][0])  # stable: first use first
    return [Lane(name, tuple(marks)) for (_, name), marks in ordered]


def presses(shown: Sequence[ShownInput], last_frame: int) -> list[tuple[ShownInput, int]]:
    """Each press with the frame of its release, or with the end of the demo."""
    pairs: list[tuple[ShownInput, int]] = []
    open_at: dict[tuple[str, str], int] = {}
    for item in shown:
        control = (item.kind, item.control)
        if item.kind == "motion" or item.echo:
            continue
        if item.pressed:
            open_at[control] = len(pairs)
            pairs.append((item, last_frame + 1))
        elif control in open_at:
            index = open_at.pop(control)
            pairs[index] = (pairs[index][0], item.frame)
    return pairs


def _effect_of(found: EffectOfInput | None) -> Effect:
    if found is None:
        return "unknown"
    if not found.departed:
        return "none"
    return "apart" if found.already_apart else "caused"


def _words(effect: Effect, found: EffectOfInput | None, delivered: bool) -> str:
    if not delivered:
        return "never reached the game"
    if effect == "caused" and found is not None:
        return f"the game departs from the untouched run {found.after_frames or 0} frame(s) later"
    if effect == "none":
        return "no departure from the untouched run within half a second"
    return "the runs were apart before" if effect == "apart" else ""
