"""Functional visuals: can one read how the game stands, and see that it answers?"""

from benchmark.craft.judging.offline import pictures as pix
from benchmark.craft.judging.offline.observed import Measure, Sight, saturating
from benchmark.craft.judging.offline.statelog import MIN_LETTERS_PX, overlaps, readouts

GOOD_CONTRAST = 3.0  # of large text, by the usual accessibility rule


def status(sight: Sight) -> Measure:
    """Is there always something that says how the game stands, in figures?"""
    if not sight.looks:
        return Measure(0.0, "no state was seen")
    told = [saturating(sum(any(map(str.isdigit, text)) for text in look.visible_texts), 4) for look in sight.looks]
    value = sum(told) / len(told)
    figures = sum(any(map(str.isdigit, text)) for look in sight.looks for text in look.visible_texts) / len(sight.looks)
    return Measure(value, f"{figures:.1f} figures tell the state at any time")


def telling(sight: Sight) -> Measure:
    """Do the texts keep up with the game: how often do they change, and in how many places?"""
    pairs = list(zip(sight.looks, sight.looks[1:], strict=False))
    rate = sum(one.visible_texts != two.visible_texts for one, two in pairs) / max(len(pairs), 1)
    count = readouts(sight.looks)
    value = 0.6 * saturating(rate, 0.55) + 0.4 * saturating(count, 6)
    return Measure(value, f"texts change in {rate:.0%} of the pictures, in {count} places")


def legible(sight: Sight) -> Measure:
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
    share, each = good / total, good / len(sight.looks)
    return Measure(
        share * saturating(each, 6), f"{share:.0%} of {total} texts are large and clear enough, {each:.1f} at a time"
    )


def tidy(sight: Sight) -> Measure:
    """Do texts overlap or run off the screen? Where nothing is written, nothing was kept apart."""
    total = sum(len(look.visible_texts) for look in sight.looks)
    if not total:
        return Measure(0.0, "no text can be read")
    share = sum(overlaps(look) for look in sight.looks) / total
    return Measure(max(1 - 2.5 * share, 0.0), f"{share:.0%} of the texts overlap or are cut off")


def feedback(sight: Sight) -> Measure:
    """Can one see, within half a second, that something was done?"""
    moments = sight.moments
    if not moments:
        return Measure(0.0, "no input was given")
    seen = sum(sight.moved(index) and sight.apart[index] for index in moments) / len(moments)
    return Measure(saturating(seen, 0.9) * sight.played, f"a change is seen after {seen:.0%} of the inputs")
