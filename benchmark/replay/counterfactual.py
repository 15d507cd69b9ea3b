"""What did the player cause? The same demo again with nobody at the controls, and again played a little differently."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmark.files import write_json
from benchmark.limits import STORED_BYTES
from benchmark.replay.evidence import Evidence, RecorderSettings
from benchmark.replay.saidstate import COLUMNS, ROWS
from benchmark.replay.traces import Trace
from benchmark.replay.varied import Changed, Variation
from benchmark.untrusted import read_json

FILE = "counterfactual.json"
VARIED_PICTURE = "varied.jpg"  # of the varied run, where it differs most
FORMAT = 2
VARIED_SINCE = 2  # before, there was no varied run
HORIZON_FRAMES = 15  # a departure later than half a second is not put down to this input
# Of what the demo itself changes on the screen: less is no answer. Our oracles reach 0.2 and more, a film with a corner
# that blinks at every input 0.02.
SMALL = 0.05
_POINTS = 4  # of a cell of the grid, across and down
_VISIBLE = 24  # of 255 levels: what compression does is less
_FEWEST_CELLS = 6  # where the demo itself changes less, a small difference is not a large share


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
class ChangedInput:
    """An input that was left out or came late. `made_difference` is None where the runs had parted before."""

    event: int
    type: str
    frame: int
    change: str
    made_difference: bool | None


@dataclass(frozen=True)
class VariedRun:
    """The demo played a little differently from its middle on.

    `share` is how much of what the demo changes on the screen came out otherwise, from 0 (a film) to 1.
    """

    inputs: tuple[ChangedInput, ...]
    first_departure: int | None
    pictures: int
    share: float
    seen_at: int | None  # the frame whose picture differs most

    @property
    def judged(self) -> int:
        return sum(one.made_difference is not None for one in self.inputs)

    @property
    def answered(self) -> int:
        return sum(one.made_difference is True for one in self.inputs)

    def describe(self) -> str:
        if not self.pictures:
            return "no picture to compare"
        words = f"{self.answered} of {self.judged} changed inputs made a difference"
        return f"{words}; {self.share:.0%} of what changes on the screen came out otherwise"


@dataclass(frozen=True)
class Counterfactual:
    """Summary over a demo. `varied` is None in old evidence, and where no input could be changed."""

    effects: tuple[Effect, ...]
    first_departure: int | None
    apart_share: float  # of the sampled pictures
    mean_distance: float  # of the sampled pictures, 0 to 1
    varied: VariedRun | None = None
    format: int = 1

    def describe(self) -> str:
        if not self.effects:
            return "no inputs"
        if self.first_departure is None:
            return f"none of {len(self.effects)} inputs changed anything"
        more = f"; {self.varied.describe()}" if self.varied else ""
        first = next((e for e in self.effects if e.departed and not e.already_apart), None)
        cause = f", {first.after_frames} frame(s) after {first.type} at {first.frame}" if first else ""
        return (
            f"the runs part at frame {self.first_departure}{cause}; {self.apart_share:.0%} of the pictures differ, "
            f"by {self.mean_distance:.1%} on average{more}"
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def write_counterfactual(folder: Path, result: Counterfactual) -> None:
    """Leave it beside the evidence it explains."""
    write_json(folder / FILE, result.to_json())


def read_counterfactual(folder: Path) -> Counterfactual:
    """The inverse."""
    data = read_json(folder / FILE, STORED_BYTES)
    effects = tuple(Effect(**effect) for effect in data["effects"])
    varied = data.get("varied")
    if varied is not None:
        varied = VariedRun(**{**varied, "inputs": tuple(ChangedInput(**one) for one in varied["inputs"])})
    return Counterfactual(**{**data, "effects": effects, "varied": varied})


def lacks_varied_run(folder: Path) -> bool:
    """Whether the evidence is from before demos were also played a little differently."""
    try:
        return read_counterfactual(folder).format < VARIED_SINCE
    except (OSError, ValueError, KeyError, TypeError):
        return True


def with_fingerprints(settings: RecorderSettings) -> RecorderSettings:
    """Settings that date a departure to the frame without drawing more of them."""
    return replace(settings, fingerprints=True)


def watched_alike(settings: RecorderSettings) -> RecorderSettings:
    """Settings for a demo that is played a little differently.

    A game knows how often it is drawn: were this run drawn less often than the demo, a film could answer here only.
    """
    return replace(with_fingerprints(settings), pointer=False)


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
        format=FORMAT,
    )


def compare_varied(
    variation: Variation, played: Evidence, varied: Evidence, played_in: Path, varied_in: Path
) -> VariedRun:
    """How much of the demo came out otherwise, and which of the changed inputs parted the runs.

    Once they have parted, the inputs that follow are not judged. What the state alone says is not believed: the game
    writes it. So a departure counts only if the screen comes out otherwise by more than a little.
    """
    begins = variation.changes[0].frame
    state = _apart(_fingerprints(varied_in), _within(_fingerprints(played_in), varied.frames.expected))
    picture = _apart_pictures(dict(varied.pixels), dict(played.pixels))
    apart = sorted(frame for frame in {*state, *picture} if state.get(frame) or picture.get(frame))
    first = next((frame for frame in apart if frame >= begins), None)
    shares = _shares(variation, played, varied, played_in, varied_in)
    share = sum(shares.values()) / len(shares) if shares else 0.0
    seen_at = max(shares, key=lambda frame: shares[frame]) if shares else None
    if first is None or share < SMALL:
        verdicts: list[bool | None] = [False] * len(variation.changes)
    else:
        cause = max(index for index, change in enumerate(variation.changes) if change.frame <= first)
        verdicts = [None if index > cause else index == cause for index in range(len(variation.changes))]
    inputs = tuple(_changed(change, said) for change, said in zip(variation.changes, verdicts, strict=True))
    return VariedRun(inputs=inputs, first_departure=first, pictures=len(shares), share=round(share, 4), seen_at=seen_at)


def _changed(change: Changed, made_difference: bool | None) -> ChangedInput:
    return ChangedInput(
        event=change.event, type=change.type, frame=change.frame, change=change.change, made_difference=made_difference
    )


def _shares(
    variation: Variation, played: Evidence, varied: Evidence, played_in: Path, varied_in: Path
) -> dict[int, float]:
    """For each picture after the first change: cells that came out otherwise, over those it changed since."""
    begins = variation.changes[0].frame
    stills = {still.frame: still for still in played.stills}
    base = None
    shares: dict[int, float] = {}
    for other in varied.stills:
        own = stills.get(other.frame)
        if own is None or not variation.compares(other.frame):
            continue
        one = _cells(played_in / own.measured)
        if base is None:
            base = one
        if other.frame <= begins or one is None or base is None:
            continue
        two = one if own.pixels == other.pixels else _cells(varied_in / other.measured)
        if two is not None:
            changed = max(_differing(one, base), _FEWEST_CELLS)
            shares[other.frame] = min(_differing(one, two) / changed, 1.0)
    return shares


def _cells(path: Path) -> NDArray[np.int16] | None:
    picture = cv2.imread(str(path))
    if picture is None:
        return None
    reduced = cv2.resize(picture, (COLUMNS * _POINTS, ROWS * _POINTS), interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, np.int16)


def _differing(one: NDArray[np.int16], two: NDArray[np.int16]) -> int:
    points = np.abs(one - two).max(axis=2) > _VISIBLE
    return int(points.reshape(ROWS, _POINTS, COLUMNS, _POINTS).any(axis=(1, 3)).sum())


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
                return Effect(
                    event=index,
                    type=kind,
                    frame=frame,
                    departed=True,
                    after_frames=later - frame,
                    seen_in=name,
                    already_apart=bool(before),
                )
    return Effect(
        event=index, type=kind, frame=frame, departed=False, after_frames=None, seen_in=None, already_apart=bool(before)
    )


def _fingerprints(folder: Path) -> dict[int, Any]:
    path = folder / "fingerprints.json"
    return dict(read_json(path, STORED_BYTES)) if path.exists() else {}


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
