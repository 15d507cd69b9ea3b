"""Content depth: how much is there, in this demo and in all of them together?"""

from benchmark.craft.judging.offline import pictures as pix
from benchmark.craft.judging.offline.observed import Measure, Sight, saturating
from benchmark.craft.judging.offline.statelog import wordings


def views(sight: Sight) -> Measure:
    """Different pictures: in all demos together, and here what no earlier demo showed."""
    each = sight.whole.views / max(sight.whole.demos, 1)
    value = 0.7 * saturating(each, 7) + 0.3 * saturating(sight.new_views, 7)
    return Measure(value, f"{sight.new_views} views not seen before, {sight.whole.views} in all demos")


def material(sight: Sight) -> Measure:
    """Different images, in all demos together and at once."""
    here = len({name for look in sight.looks for name in look.images})
    value = 0.7 * saturating(sight.whole.images, 45) + 0.3 * saturating(here, 25)
    return Measure(value, f"{here} different images, {sight.whole.images} in all demos")


def sayings(sight: Sight) -> Measure:
    """Different texts, counters aside."""
    here = len(wordings(sight.looks))
    value = 0.7 * saturating(sight.whole.wordings, 45) + 0.3 * saturating(here, 20)
    return Measure(value, f"{here} different texts, {sight.whole.wordings} in all demos")


def turns(sight: Sight) -> Measure:
    """Does the demo get somewhere: another screen, another state?"""
    small = sight.gallery.small
    cuts = sum(step > pix.CUT for step in sight.steps)
    scenes = len({look.scene for look in sight.looks})
    begin, end = sight.looks[:1], sight.looks[-1:]
    said = float(bool(begin) and begin[0].visible_texts != end[0].visible_texts)
    travelled = saturating(pix.difference(small[0], small[-1]), 0.15) if small else 0.0
    value = 0.45 * saturating(cuts + scenes - 1, 2) + 0.2 * said + 0.35 * travelled
    return Measure(value, f"{cuts} change(s) of screen, {scenes} scene(s)")


def going(sight: Sight) -> Measure:
    """How long does it go on? What stands still to its end has nothing more to show."""
    count = len(sight.steps)
    moving = [index + 1 for index in range(count) if sight.moved(index + 1)]
    last = moving[-1] / count if moving else 0.0
    return Measure(last, f"the last change comes after {last:.0%} of the demo")
