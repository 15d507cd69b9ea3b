"""Do both recorders show the same game? The same demo in exact time and in real time, compared still by still."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmark.projects.prepare import PreparedProject
from benchmark.replay.evidence import Evidence, Outcome, RecorderSettings
from benchmark.replay.recordings import record_cached, record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.traces import FPS, MAX_REPLAYED_FRAMES, Trace
from benchmark.runtime.machine import Machine
from benchmark.runtime.tokens import core_count, whole_machine
from benchmark.runtime.workdir import work_folder

# What counts as alike, and what it was measured on: docs/replay.md, "Parity".
SHIFT_FRAMES = 6
VISIBLE = 40  # of 255, in the colour channel that differs most
MAX_DIFFERENT = 0.005  # of the picture: 68×68 pixels of the game
MAX_DROPPED = 0.5  # of a take's frames: beyond it the machine was too busy for the take to say much
_TITLE_HEIGHT = 40
_EXACT = RecorderSettings(video_fps=0, window_frames=MAX_REPLAYED_FRAMES, pointer=False)
_REAL = replace(_EXACT, recorder="x11", still_every_frames=1)

Reduced = NDArray[np.int16]  # a still at a quarter of its width and height: codec noise is gone, a word is not


@dataclass(frozen=True)
class StillParity:
    """One still of the exact recording and what real time showed around that moment."""

    frame: int
    different: float  # share of the picture, against the most similar frame
    shift_frames: int | None  # where that one was; None: the camera has nothing from that moment
    repeats: bool | None = None  # does real time show the same again in another take? None: not asked

    @property
    def agrees(self) -> bool:
        return self.shift_frames is not None and self.different <= MAX_DIFFERENT


@dataclass(frozen=True)
class DemoParity:
    """The comparison of one demo. `alone_share`: stills that also agree with the game left alone, as a control."""

    demo: str
    stills: tuple[StillParity, ...]
    alone_share: float
    exact: Outcome
    real: Outcome
    frames: int
    dropped: int  # 1/30 s slots in which the game drew nothing, of the take that counts
    inputs_sent: int
    inputs_delivered: int
    takes: int
    picture: str | None = None

    @property
    def agree_share(self) -> float:
        return sum(still.agrees for still in self.stills) / len(self.stills) if self.stills else 0.0

    @property
    def dropped_share(self) -> float:
        return self.dropped / self.frames

    @property
    def overloaded(self) -> bool:
        return self.dropped_share > MAX_DROPPED

    @property
    def first_difference(self) -> StillParity | None:
        return next((still for still in self.stills if not still.agrees), None)


@dataclass(frozen=True)
class Film:
    """A recording on disk; its stills are read when they are asked for."""

    evidence: Evidence
    folder: Path
    seen: dict[int, Reduced | None] = field(default_factory=dict)

    def at(self, frame: int) -> Reduced | None:
        if frame not in self.seen:
            file = next((s.file for s in self.evidence.stills if s.frame == frame), None)
            picture = cv2.imread(str(self.folder / file)) if file else None
            self.seen[frame] = None if picture is None else _reduce(picture).astype(np.int16)
        return self.seen[frame]


def _reduce(picture: Any) -> Any:
    """By averaging: the recorders scale differently, and the quick way of the JPEG decoder keeps that."""
    rows, columns = picture.shape[:2]
    return cv2.resize(picture, (columns // 4, rows // 4), interpolation=cv2.INTER_AREA)


def different(one: Reduced, two: Reduced) -> float:
    """The share of the picture in which two stills differ visibly."""
    return float((np.abs(one - two).max(axis=2) > VISIBLE).mean())


def compare_demo(
    prepared: PreparedProject,
    trace: Trace,
    machine: Machine,
    max_takes: int,
    picture: Path,
) -> DemoParity:
    """Record and compare. A still that does not agree leads to another take, to see whether real time repeats itself.

    Of several takes the one with the fewest dropped frames counts, whichever agrees better.
    """
    exact = record_cached(prepared, TakeOrder(trace, _EXACT), machine, core_count())
    alone = record_cached(prepared, TakeOrder(trace.without_inputs(), _EXACT), machine, core_count())
    reference = Film(exact.evidence, exact.folder)
    left_alone = Film(alone.evidence, alone.folder)
    with work_folder("parity", on_disk=True) as work:
        takes: list[Film] = []
        for number in range(1, max_takes + 1):
            out = work / str(number)
            out.mkdir()
            with whole_machine():
                takes.append(Film(record_fresh(prepared, TakeOrder(trace, _REAL), machine, out, core_count()), out))
            if all(still.agrees for still in compare_films(reference, takes[-1])):
                break
        takes.sort(key=lambda film: film.evidence.frames.dropped)
        best, *others = takes
        stills = tuple(
            still if still.agrees or not others else replace(still, repeats=_repeats(still.frame, best, others[0]))
            for still in compare_films(reference, best)
        )
        unlike = next((still for still in stills if not still.agrees), None)
        shown = unlike is not None and draw_difference(reference, best, unlike, picture)
    control = [_apart(reference.at(still.frame), left_alone.at(still.frame)) <= MAX_DIFFERENT for still in stills]
    frames, evidence = best.evidence.frames, best.evidence
    return DemoParity(
        demo=trace.name,
        stills=stills,
        alone_share=sum(control) / len(control) if control else 0.0,
        exact=exact.evidence.outcome,
        real=evidence.outcome,
        frames=frames.expected,
        dropped=frames.dropped,
        inputs_sent=evidence.inputs_sent,
        inputs_delivered=evidence.inputs_delivered,
        takes=len(takes),
        picture=str(picture) if shown else None,
    )


def compare_films(exact: Film, real: Film) -> tuple[StillParity, ...]:
    """Each still of the first against the most similar of the second within a fifth of a second."""
    return tuple(_closest(exact, still.frame, real) for still in exact.evidence.stills)


def _closest(exact: Film, frame: int, real: Film) -> StillParity:
    picture = exact.at(frame)
    found = StillParity(frame, 1.0, None)
    for shift in sorted(range(-SHIFT_FRAMES, SHIFT_FRAMES + 1), key=abs):  # the same moment first
        other = real.at(frame + shift)
        if picture is None or other is None:
            continue
        apart = different(picture, other)
        if found.shift_frames is None or apart < found.different:
            found = StillParity(frame, apart, shift)
        if apart <= MAX_DIFFERENT:
            break
    return found


def _repeats(frame: int, one: Film, two: Film) -> bool | None:
    if one.at(frame) is None:
        return None
    return _closest(one, frame, two).agrees


def _apart(one: Reduced | None, two: Reduced | None) -> float:
    return 1.0 if one is None or two is None else different(one, two)


def draw_difference(exact: Film, real: Film, still: StillParity, target: Path) -> bool:
    """Both pictures and where they differ, side by side."""
    frame = still.frame + (still.shift_frames or 0)
    files = [
        next((film.folder / s.file for s in film.evidence.stills if s.frame == number), None)
        for film, number in ((exact, still.frame), (real, frame))
    ]
    pictures = [cv2.imread(str(file)) if file else None for file in files]
    if pictures[0] is None:
        return False
    first: Any = pictures[0]
    second: Any = pictures[1] if pictures[1] is not None else np.zeros_like(first)
    rows, columns = first.shape[:2]
    unlike = (cv2.absdiff(_reduce(first), _reduce(second)).max(axis=2) > VISIBLE).astype(np.uint8)
    mask = cv2.resize(unlike, (columns, rows), interpolation=cv2.INTER_NEAREST)
    grey = cv2.cvtColor(cv2.cvtColor(first, cv2.COLOR_BGR2GRAY) // 3, cv2.COLOR_GRAY2BGR)
    grey[mask > 0] = (60, 60, 255)
    panels = {
        f"exact time, {still.frame / FPS:.1f} s": first,
        f"real time, {still.shift_frames or 0:+d} frames": second,
        f"differs: {still.different:.1%}": grey,
    }
    titled = []
    for title, panel in panels.items():
        framed = cv2.copyMakeBorder(panel, _TITLE_HEIGHT, 0, 0, 8, cv2.BORDER_CONSTANT, value=(255, 255, 255))
        cv2.putText(framed, title, (8, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (30, 30, 30), 2, cv2.LINE_AA)
        titled.append(framed)
    target.parent.mkdir(parents=True, exist_ok=True)
    return bool(cv2.imwrite(str(target), np.hstack(titled)))
