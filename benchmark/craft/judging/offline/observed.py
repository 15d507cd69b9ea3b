"""What the offline judge knows of a demo and of the trial it belongs to, read from disk once."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.craft.judging.offline import pictures as pix
from benchmark.craft.judging.offline.pictures import Gallery, read_gallery
from benchmark.craft.judging.offline.statelog import Look, read_looks, wordings
from benchmark.craft.judging.offline.vocabulary import vocabulary
from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.errors import InfrastructureError
from benchmark.replay.counterfactual import SMALL, VARIED_SINCE, Counterfactual, read_counterfactual
from benchmark.replay.evidence import read_evidence
from benchmark.replay.traces import FPS

MOVED = 0.001  # mean difference of two reduced stills: less is noise of the encoder
REPLY = 0.15  # of what a demo changes on the screen: where so much depends on a few inputs it is played
UNKNOWN_REPLY = 0.25  # where no demo has an input after its first: nobody plays, but nothing says that it is a film
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
    reply: float | None  # mean over the demos that were also played a little differently


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
    def played(self) -> float:
        """Is it played, or does it run like a film? 1 where it does go another way when inputs are changed.

        Mostly by all demos together: a single changed input may run into a wall. Evidence from before there were varied
        runs counts as played.
        """
        if self.counterfactual.format < VARIED_SINCE:
            return 1.0
        together = UNKNOWN_REPLY if self.whole.reply is None else self.whole.reply
        own = reply_of(self.counterfactual)
        return min(2 * (0.7 * together + 0.3 * (together if own is None else own)), 1.0)

    @property
    def moments(self) -> list[int]:
        """The stills that follow an input."""
        found = {self.gallery.index_at(effect.frame + 1) for effect in self.counterfactual.effects}
        return sorted(index for index in found if index)

    def moved(self, index: int) -> bool:
        """Did the picture change towards this still?"""
        return index > 0 and self.steps[index - 1] > MOVED


def reply_of(counterfactual: Counterfactual) -> float | None:
    """How much came out otherwise when inputs were changed: 1 is all that can be expected, None not compared."""
    varied = counterfactual.varied
    if varied is None or not varied.pictures:
        return None
    return min(max(varied.share - SMALL, 0.0) / (REPLY - SMALL), 1.0)


def saturating(amount: float, much: float) -> float:
    """0 for nothing, 0.9 for `much`, never 1: there is always a richer game."""
    return 1 - math.exp(-2.3026 * max(amount, 0.0) / much)


def look_at(demos: Sequence[DemoEvidence]) -> list[Sight]:
    """All demos of a trial. Raises InfrastructureError if one was not replayed without its inputs."""
    galleries = [read_gallery(demo.folder, demo.evidence) for demo in demos]
    looks = [read_looks(demo.folder) for demo in demos]
    said = [wordings(seen) for seen in looks]
    views = pix.distinct_views(galleries)
    compared = [read_counterfactual(demo.folder) if demo.untouched is not None else None for demo in demos]
    replies = [reply for one in compared if one is not None and (reply := reply_of(one)) is not None]
    whole = Whole(
        demos=len(demos),
        views=sum(views),
        images=len({name for seen in looks for look in seen for name in look.images}),
        wordings=len(set().union(*said)),
        vocabulary=vocabulary(looks),
        reply=sum(replies) / len(replies) if replies else None,
    )
    sights = []
    for index, (demo, counterfactual) in enumerate(zip(demos, compared, strict=True)):
        if demo.untouched is None or counterfactual is None:
            raise InfrastructureError(f"{demo.name}: the offline judge needs the replay without inputs")
        sights.append(
            Sight(
                gallery=galleries[index],
                steps=tuple(pix.steps(galleries[index])),
                apart=_apart(demo, galleries[index]),
                looks=looks[index],
                untouched_looks=read_looks(demo.untouched),
                counterfactual=counterfactual,
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
