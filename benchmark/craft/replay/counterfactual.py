"""What did the player cause? The same demo again with nobody at the controls, compared input by input."""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmark.craft.replay.evidence import Evidence, RecorderSettings
from benchmark.craft.traces import Trace
from benchmark.files import write_json

FILE = "counterfactual.json"
HORIZON_FRAMES = 15  # a departure later than half a second is not put down to this input


@dataclass(frozen=True)
class Effect:
    """One input event. `after_frames` is how long until state or picture differed from the untouched run.

    Where the runs were apart before the input came (`already_apart`), that they still are says little
    about this input.
    """

    event: int
    type: str
    frame: int
    departed: bool
    after_frames: int | None
    seen_in: str | None  # "state" or "picture"
    already_apart: bool


@dataclass(frozen=True)
class Counterfactual:
    """Summary over a demo."""

    effects: tuple[Effect, ...]
    first_departure: int | None
    apart_share: float  # of the sampled pictures
    mean_distance: float  # of the sampled pictures, 0 to 1

    def describe(self) -> str:
        if not self.effects:
            return "no inputs"
        if self.first_departure is None:
            return f"none of {len(self.effects)} inputs changed anything"
        first = next((e for e in self.effects if e.departed and not e.already_apart), None)
        cause = f", {first.after_frames} frame(s) after {first.type} at {first.frame}" if first else ""
        return (
            f"the runs part at frame {self.first_departure}{cause}; {self.apart_share:.0%} of the pictures differ, "
            f"by {self.mean_distance:.1%} on average"
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def write_counterfactual(folder: Path, result: Counterfactual) -> None:
    """Leave it beside the evidence it explains."""
    write_json(folder / FILE, result.to_json())


def read_counterfactual(folder: Path) -> Counterfactual:
    """The inverse."""
    data = json.loads((folder / FILE).read_text(encoding="utf-8"))
    return Counterfactual(**{**data, "effects": tuple(Effect(**effect) for effect in data["effects"])})


def with_fingerprints(settings: RecorderSettings) -> RecorderSettings:
    """Settings that date a departure to the frame without drawing more of them."""
    return replace(settings, fingerprints=True)


def compare(trace: Trace, played: Evidence, untouched: Evidence, played_in: Path, untouched_in: Path) -> Counterfactual:
    """Date each input by the first frame whose state hash, or captured picture, differs.

    The untouched run may be the longer one: demos that begin alike can share it.
    """
    length = played.frames.expected
    state = _apart(_fingerprints(played_in), _within(_fingerprints(untouched_in), length))
    picture = _apart_pictures(dict(played.pixels), _within(dict(untouched.pixels), length))
    either = sorted(frame for frame in {*state, *picture} if state.get(frame) or picture.get(frame))
    effects = tuple(
        _effect(index, event.type, event.frame, state, picture)
        for index, event in enumerate(trace.events)
        if event.type != "wait"
    )
    distances = _distances(played, untouched, played_in, untouched_in)
    return Counterfactual(
        effects,
        either[0] if either else None,
        sum(distance > 0 for distance in distances) / len(distances) if distances else 0.0,
        sum(distances) / len(distances) if distances else 0.0,
    )


def _apart(one: dict[int, Any], two: dict[int, Any]) -> dict[int, bool]:
    """Frame by frame over what both runs have; a run that ended earlier is apart from then on."""
    last = min(max(one, default=-1), max(two, default=-1))
    both = {frame: one[frame] != two[frame] for frame in one.keys() & two.keys()}
    return both | {frame: True for frame in one.keys() ^ two.keys() if frame > last}


def _within(frames: dict[int, Any], length: int) -> dict[int, Any]:
    return {frame: value for frame, value in frames.items() if frame < length}


def _apart_pictures(one: dict[int, Any], two: dict[int, Any]) -> dict[int, bool]:
    """Pictures are taken now and then, and of the untouched run fewer: only frames that both have say something."""
    return {frame: one[frame] != two[frame] for frame in one.keys() & two.keys()}


def _effect(index: int, kind: str, frame: int, state: dict[int, bool], picture: dict[int, bool]) -> Effect:
    before = [apart for apart in (state, picture) if any(apart.get(f) for f in range(max(0, frame - 2), frame))]
    for later in range(frame, frame + HORIZON_FRAMES + 1):
        for name, apart in (("state", state), ("picture", picture)):
            if apart.get(later):
                return Effect(index, kind, frame, True, later - frame, name, bool(before))
    return Effect(index, kind, frame, False, None, None, bool(before))


def _fingerprints(folder: Path) -> dict[int, Any]:
    path = folder / "fingerprints.json"
    return dict(json.loads(path.read_text(encoding="ascii"))) if path.exists() else {}


def _distances(played: Evidence, untouched: Evidence, played_in: Path, untouched_in: Path) -> list[float]:
    """Mean difference of each pair of stills, 0 to 1; identical pictures are not even opened."""
    others = {still.frame: still for still in untouched.stills}
    distances = []
    for still in played.stills:
        other = others.get(still.frame)
        if other is None:
            continue
        if other.pixels == still.pixels:
            distances.append(0.0)
            continue
        one, two = cv2.imread(str(played_in / still.measured)), cv2.imread(str(untouched_in / other.measured))
        if one is not None and two is not None:
            distances.append(float(np.mean(cv2.absdiff(one, two))) / 255)
    return distances
