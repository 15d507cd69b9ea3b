"""What the offline judge knows of a demo and of the trial it belongs to, read from disk once."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.craft.replay.counterfactual import Counterfactual, read_counterfactual
from benchmark.craft.replay.evidence import read_evidence
from benchmark.craft.traces import FPS
from benchmark.errors import InfrastructureError
from benchmark.judges.offline import pictures as pix
from benchmark.judges.offline.pictures import Gallery, read_gallery
from benchmark.judges.offline.statelog import Look, read_looks, wordings
from benchmark.judges.offline.words import vocabulary
from benchmark.judges.protocol import DemoEvidence

MOVED = 0.001  # mean difference of two reduced stills: less is noise of the encoder
SOMETHING = 0.06  # between the darkest and the brightest place of a picture that shows anything at all


@dataclass(frozen=True)
class Measure:
    """`value`, from 0 to 1, is what is scored; `says` puts the raw number into words."""

    value: float
    says: str


@dataclass(frozen=True)
class Whole:
    """What all demos of a trial show together. A game of one level shows no more in ten demos than in one."""

    demos: int
    views: int
    images: int
    wordings: int
    vocabulary: dict[str, float]


@dataclass(frozen=True)
class Sight:
    """One demo. `steps[i]`: how far still i+1 is from still i; `apart[i]`: is still i unlike the game left alone?"""

    gallery: Gallery
    steps: tuple[float, ...]
    apart: tuple[bool, ...]
    looks: list[Look]
    untouched_looks: list[Look]
    counterfactual: Counterfactual
    seconds: float
    complete: bool
    ended: str
    new_views: int  # shown by no earlier demo of the trial
    new_wordings: int
    visible: float  # share of the stills on which there is anything to see
    whole: Whole

    @property
    def moments(self) -> list[int]:
        """The stills that follow an input."""
        found = {self.gallery.index_at(effect.frame + 1) for effect in self.counterfactual.effects}
        return sorted(index for index in found if index)

    def moved(self, index: int) -> bool:
        """Did the picture change towards this still?"""
        return index > 0 and self.steps[index - 1] > MOVED


def saturating(amount: float, much: float) -> float:
    """0 for nothing, 0.9 for `much`, never 1: there is always a richer game."""
    return 1 - math.exp(-2.3026 * max(amount, 0.0) / much)


def look_at(demos: Sequence[DemoEvidence]) -> list[Sight]:
    """All demos of a trial. Raises InfrastructureError if one was not replayed without its inputs."""
    galleries = [read_gallery(demo.folder, demo.evidence) for demo in demos]
    looks = [read_looks(demo.folder) for demo in demos]
    said = [wordings(seen) for seen in looks]
    views = pix.distinct_views(galleries)
    whole = Whole(
        len(demos),
        sum(views),
        len({name for seen in looks for look in seen for name in look.images}),
        len(set().union(*said)),
        vocabulary(looks),
    )
    sights = []
    for index, demo in enumerate(demos):
        if demo.untouched is None:
            raise InfrastructureError(f"{demo.name}: the offline judge needs the replay without inputs")
        sights.append(
            Sight(
                gallery=galleries[index],
                steps=tuple(pix.steps(galleries[index])),
                apart=_apart(demo, galleries[index]),
                looks=looks[index],
                untouched_looks=read_looks(demo.untouched),
                counterfactual=read_counterfactual(demo.folder),
                seconds=demo.evidence.frames.expected / FPS,
                complete=demo.evidence.outcome.complete,
                ended=demo.evidence.outcome.kind,
                new_views=views[index],
                new_wordings=len(said[index] - set().union(*said[:index])),
                visible=_visible(galleries[index]),
                whole=whole,
            )
        )
    return sights


def _visible(gallery: Gallery) -> float:
    spans = [pix.brightness_span(picture) for picture in gallery.pictures[::4]]
    return sum(span > SOMETHING for span in spans) / len(spans) if spans else 0.0


def _apart(demo: DemoEvidence, gallery: Gallery) -> tuple[bool, ...]:
    """By the hashes of the pictures. Of the untouched run fewer are taken: between them the last answer holds."""
    assert demo.untouched is not None
    try:
        alone = {still.frame: still.pixels for still in read_evidence(demo.untouched).stills}
    except (OSError, ValueError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise InfrastructureError(f"{demo.untouched} cannot be read: {error}", fix="replay the trial") from error
    played = {still.frame: still.pixels for still in demo.evidence.stills}
    found, last = [], False
    for frame in gallery.frames:
        if frame in alone:
            last = alone[frame] != played[frame]
        found.append(last)
    return tuple(found)
