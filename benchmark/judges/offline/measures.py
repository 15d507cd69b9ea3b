"""The measures of one demo, each from 0 (bad) to 1 (good), with the number it was made from."""

from dataclasses import dataclass

from benchmark.craft.replay.counterfactual import Counterfactual
from benchmark.craft.traces import FPS
from benchmark.judges.offline import pictures as pix
from benchmark.judges.offline.pictures import Gallery
from benchmark.judges.offline.statelog import MIN_LETTERS_PX, Look, overlaps, wordings

GOOD_CONTRAST = 3.0  # of large text, by the usual accessibility rule


@dataclass(frozen=True)
class Measure:
    """`value` is what is scored; `says` puts the raw number into words."""

    value: float
    says: str


@dataclass(frozen=True)
class Sight:
    """Everything known of one demo, read from disk once."""

    gallery: Gallery
    looks: list[Look]
    untouched_looks: list[Look]
    counterfactual: Counterfactual
    seconds: float
    complete: bool
    ended: str
    new_views: int  # shown by no earlier demo of the trial
    new_wordings: int


def measure(sight: Sight) -> dict[str, Measure]:
    """All measures by name. The names' first letter is their category."""
    return {
        "M.response": _response(sight),
        "M.sway": _sway(sight),
        "M.play": _play(sight),
        "M.consequence": _consequence(sight),
        "D.views": _views(sight),
        "D.material": _material(sight),
        "D.wordings": _wordings(sight),
        "D.turns": _turns(sight),
        "V.status": _status(sight),
        "V.legible": _legible(sight),
        "V.tidy": _tidy(sight),
        "V.feedback": _feedback(sight),
        "A.art": _art(sight),
        "A.styled": _styled(sight),
        "A.richness": _richness(sight),
        "A.motion": _motion(sight),
    }


def _up_to(value: float, full: float) -> float:
    return min(max(value / full, 0.0), 1.0)


def _inputs(sight: Sight) -> list[int]:
    return [effect.frame for effect in sight.counterfactual.effects]


def _response(sight: Sight) -> Measure:
    """Does what the player does change anything, and soon?"""
    effects = sight.counterfactual.effects
    if not effects:
        return Measure(0.0, "no input was given")
    first = sight.counterfactual.first_departure
    if first is None:
        return Measure(0.0, f"none of {len(effects)} inputs changed anything")
    prompt = next((e.after_frames for e in effects if e.departed and not e.already_apart), None)
    began = effects[0].frame
    remaining = max(sight.seconds * FPS - began, 1)
    late = (first - began) / remaining  # how long the first inputs went unanswered
    quick = 1.0 if prompt is not None and prompt <= 4 else 0.7
    when = "late" if prompt is None else (f"{prompt} frame(s) after an input" if prompt else "an input at once")
    says = f"the game answers {when}"
    return Measure(quick * (1 - late), says)


def _sway(sight: Sight) -> Measure:
    """How much of the demo is the player's doing?"""
    share = sight.counterfactual.apart_share
    return Measure(_up_to(share, 0.7), f"{share:.0%} of the pictures differ from the game left alone")


def _play(sight: Sight) -> Measure:
    """A demo in which nobody plays shows little."""
    seconds = {frame // FPS for frame in _inputs(sight)}
    share = len(seconds) / max(sight.seconds, 1)
    return Measure(_up_to(share, 0.4), f"inputs in {share:.0%} of the seconds")


def _consequence(sight: Sight) -> Measure:
    """Rules show in what the game says: do its texts and its cast follow what the player does?"""
    alone = {look.frame: (look.visible_texts, look.nodes) for look in sight.untouched_looks}
    pairs = [(look, alone[look.frame]) for look in sight.looks if look.frame in alone]
    if not pairs:
        return Measure(0.0, "nothing to compare")
    changed = sum((look.visible_texts, look.nodes) != other for look, other in pairs) / len(pairs)
    return Measure(_up_to(changed, 0.7), f"texts or objects follow the player in {changed:.0%} of the looks")


def _views(sight: Sight) -> Measure:
    """Different pictures, not counting what another demo showed already."""
    return Measure(_up_to(sight.new_views, 8), f"{sight.new_views} views not seen before")


def _material(sight: Sight) -> Measure:
    """How many different images and kinds of objects appear?"""
    textures = max((look.textures for look in sight.looks), default=0)
    nodes = max((look.nodes for look in sight.looks), default=0)
    return Measure(
        0.6 * _up_to(textures, 18) + 0.4 * _up_to(nodes, 90), f"up to {textures} images and {nodes} objects at once"
    )


def _wordings(sight: Sight) -> Measure:
    """How much does the game have to say?"""
    total = len(wordings(sight.looks))
    return Measure(
        0.6 * _up_to(total, 16) + 0.4 * _up_to(sight.new_wordings, 8),
        f"{total} different texts, {sight.new_wordings} not seen before",
    )


def _turns(sight: Sight) -> Measure:
    """Does the demo get somewhere: another screen, another state?"""
    cuts = sum(step > pix.CUT for step in pix.steps(sight.gallery))
    scenes = len({look.scene for look in sight.looks})
    begin, end = sight.looks[:1], sight.looks[-1:]
    moved_on = float(bool(begin) and begin[0].visible_texts != end[0].visible_texts)
    travelled = (
        _up_to(pix.difference(sight.gallery.small[0], sight.gallery.small[-1]), 0.12) if sight.gallery.small else 0.0
    )
    value = 0.4 * _up_to(cuts + scenes - 1, 2) + 0.3 * moved_on + 0.3 * travelled
    return Measure(value, f"{cuts} change(s) of screen, {scenes} scene(s)")


def _status(sight: Sight) -> Measure:
    """Is there always something that says how the game stands?"""
    if not sight.looks:
        return Measure(0.0, "no state was seen")
    told = sum(len(look.visible_texts) >= 2 for look in sight.looks) / len(sight.looks)
    return Measure(told, f"texts tell the state in {told:.0%} of the looks")


def _legible(sight: Sight) -> Measure:
    """Are texts large enough, and do they stand out from what is behind them?"""
    good = total = 0
    for look in sight.looks:
        index = sight.gallery.index_at(look.frame)
        if index is None or sight.gallery.frames[index] != look.frame:
            continue
        for box in look.boxes:
            if len(box) != 5 or box[2] <= 0:
                continue
            total += 1
            contrast = pix.contrast_in(sight.gallery.pictures[index], list(box))
            good += box[4] >= MIN_LETTERS_PX and contrast >= GOOD_CONTRAST
    if not total:
        return Measure(0.0, "no text can be read")
    return Measure(good / total, f"{good / total:.0%} of {total} texts are large and clear enough")


def _tidy(sight: Sight) -> Measure:
    """Do texts overlap or run off the screen? Is there a picture at all?"""
    total = sum(len(look.visible_texts) for look in sight.looks)
    troubled = sum(overlaps(look) for look in sight.looks)
    tones = [pix.tonal_range(picture) for picture in sight.gallery.pictures[::4]]
    tone = _up_to(sum(tones) / len(tones), 0.3) if tones else 0.0
    share = troubled / total if total else 0.0
    return Measure(tone * (1 - _up_to(share, 0.4)), f"{share:.0%} of the texts overlap or are cut off")


def _feedback(sight: Sight) -> Measure:
    """Can one see, within half a second, that something was done?"""
    moments = sorted({sight.gallery.index_at(frame + 1) for frame in _inputs(sight)} - {None, 0}, key=lambda i: i or 0)
    if not moments:
        return Measure(0.0, "no input was given")
    changes = pix.steps(sight.gallery)
    seen = sum(changes[index - 1] > 0.002 for index in moments if index) / len(moments)
    caused = _up_to(sight.counterfactual.apart_share, 0.3)  # what moves by itself is no answer
    return Measure(seen * caused, f"a change is seen after {seen:.0%} of the inputs")


def _mean_cover(sight: Sight) -> dict[str, float]:
    total: dict[str, float] = {}
    for look in sight.looks:
        for kind, share in look.cover.items():
            total[kind] = total.get(kind, 0.0) + share / len(sight.looks)
    return total


def _art(sight: Sight) -> Measure:
    """What covers the screen: drawn art, or plain shapes and nothing?"""
    cover = _mean_cover(sight)
    drawn = (
        cover.get("textured", 0.0) + 0.7 * cover.get("widget_themed", 0.0) + 0.6 * cover.get("generated", 0.0)
        + 0.6 * cover.get("text", 0.0) + 0.4 * cover.get("custom", 0.0)
    )  # fmt: skip
    plain = cover.get("plain", 0.0) + cover.get("widget_default", 0.0)
    return Measure(
        _up_to(drawn, 0.8) * (1 - 0.5 * min(plain, 1.0)),
        f"{cover.get('textured', 0.0):.0%} of the screen is drawn art, {plain:.0%} plain shapes or default widgets",
    )


def _styled(sight: Sight) -> Measure:
    """Do controls look like the engine's own?"""
    if not sight.looks:
        return Measure(0.0, "no state was seen")
    widgets = sum(look.widgets for look in sight.looks)
    default = sum(look.default_widgets for look in sight.looks)
    plain = _mean_cover(sight).get("plain", 0.0)
    textured = any(look.textures > 0 for look in sight.looks)
    share = default / widgets if widgets else 0.0
    value = (1 - share) * (1 - min(plain, 1.0)) * (1.0 if textured else 0.4)
    return Measure(value, f"{default} of {widgets} controls look like the engine's default")


def _richness(sight: Sight) -> Measure:
    """Colour and detail, as drawn art has them."""
    chosen = sight.gallery.pictures[::4]
    if not chosen:
        return Measure(0.0, "no picture")
    bits = sum(map(pix.colour_richness, chosen)) / len(chosen)
    edges = sum(map(pix.detail, chosen)) / len(chosen)
    value = 0.6 * _up_to(bits - 1.0, 3.0) + 0.4 * _up_to(edges, 0.035)
    return Measure(value, f"{bits:.1f} bits of colour, {edges:.1%} edges")


def _motion(sight: Sight) -> Measure:
    """Is the picture alive?"""
    changes = pix.steps(sight.gallery)
    if not changes:
        return Measure(0.0, "no picture")
    moving = sum(step > 0.001 for step in changes) / len(changes)
    return Measure(_up_to(moving, 0.85), f"something moves in {moving:.0%} of the pictures")
