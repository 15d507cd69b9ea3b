"""Art and presentation: is the picture drawn, styled and alive?"""

import math

from benchmark.craft.judging.offline import pictures as pix
from benchmark.craft.judging.offline.observed import Measure, Sight, saturating

EVERY = 4  # stills: neighbours look alike
FLAT, DRAWN = 0.03, 0.7  # of what images cover, on a scale of ratios: dark and sparse games have less of both


def cover(sight: Sight) -> dict[str, float]:
    """The share of the screen that each kind of thing covers, on average."""
    total: dict[str, float] = {}
    for look in sight.looks:
        for kind, share in look.cover.items():
            total[kind] = total.get(kind, 0.0) + share / len(sight.looks)
    return total


def art(sight: Sight) -> Measure:
    """What covers the screen: art, or plain shapes and nothing? The log counts as far as the pixels bear it out."""
    shares = cover(sight)
    drawn = (
        shares.get("textured", 0.0) + 0.7 * shares.get("widget_themed", 0.0) + 0.6 * shares.get("generated", 0.0)
        + 0.6 * shares.get("text", 0.0) + 0.4 * shares.get("custom", 0.0)
    )  # fmt: skip
    plain = shares.get("plain", 0.0) + shares.get("widget_default", 0.0)
    return Measure(
        saturating(drawn, 0.8) * (1 - 0.5 * min(plain, 1.0)) * (0.5 + 0.5 * drawing(sight).value),
        f"{shares.get('textured', 0.0):.0%} of the screen is drawn art, {plain:.0%} plain shapes or default widgets",
    )


def drawing(sight: Sight) -> Measure:
    """Slopes, curves or pixel art in the pixels: an image that is one flat colour is no art."""
    looks = {look.frame: look for look in sight.looks}
    chosen = list(zip(sight.gallery.pictures, sight.gallery.frames, strict=True))[::EVERY]
    shares = [
        pix.drawn_share(picture, looks[frame].boxes, looks[frame].grid) for picture, frame in chosen if frame in looks
    ]
    if not shares:
        return Measure(0.0, "no picture")
    share = sum(shares) / len(shares)
    value = min(max(math.log(max(share, FLAT) / FLAT) / math.log(DRAWN / FLAT), 0.0), 1.0)
    return Measure(value, f"something is drawn on {share:.0%} of what the images cover")


def styled(sight: Sight) -> Measure:
    """Do controls and letters look like the engine's own?"""
    widgets = sum(look.widgets for look in sight.looks)
    texts = sum(len(look.texts) for look in sight.looks)
    plain_widgets = sum(look.default_widgets for look in sight.looks)
    plain_texts = sum(look.default_font_texts for look in sight.looks)
    if not widgets and not texts:
        return Measure(0.7 if sight.looks else 0.0, "there are no controls and no texts")
    shares = [plain / count for plain, count in ((plain_widgets, widgets), (plain_texts, texts)) if count]
    return Measure(
        0.95 * (1 - sum(shares) / len(shares)),
        f"{plain_widgets} of {widgets} controls and {plain_texts} of {texts} texts look like the engine's default",
    )


def richness(sight: Sight) -> Measure:
    """Colour and detail."""
    chosen = sight.gallery.pictures[::EVERY]
    if not chosen:
        return Measure(0.0, "no picture")
    bits = sum(map(pix.colour_richness, chosen)) / len(chosen)
    edges = sum(map(pix.detail, chosen)) / len(chosen)
    value = 0.6 * saturating(bits - 0.5, 4.5) + 0.4 * saturating(edges, 0.05)
    return Measure(value, f"{bits:.1f} bits of colour, {edges:.1%} edges")


def motion(sight: Sight) -> Measure:
    """Is the picture alive?"""
    count = len(sight.steps)
    if not count:
        return Measure(0.0, "no picture")
    moving = sum(sight.moved(index + 1) for index in range(count)) / count
    return Measure(saturating(moving, 0.85), f"something moves in {moving:.0%} of the pictures")
