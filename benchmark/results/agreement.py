"""How far two raters agree, be they judges or people: on which items, by how much, in which direction."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmark.trials import TrialId, TrialRecord

CLOSE = 0.25
PASS = 0.5
FAR = 0.5  # a gap that somebody should look at

Ratings = Mapping[tuple[TrialId, str], float]


@dataclass(frozen=True)
class Agreement:
    """Over the items that both have rated. Numbers are None where nothing, or nothing that varies, was rated."""

    items: int
    mean_difference: float | None  # one − other
    mean_absolute: float | None
    rmse: float | None
    correlation: float | None
    close: float | None  # share of the items within 0.25 of each other
    same: float | None  # share of the items on the same side of 0.5


@dataclass(frozen=True)
class Gap:
    """An item on which two raters are apart."""

    trial: TrialId
    item: str
    one: float
    other: float

    @property
    def difference(self) -> float:
        return self.one - self.other


def agreement(one: Ratings, other: Ratings) -> Agreement:
    """Of the first rater with the second."""
    pairs = [(one[key], other[key]) for key in sorted(one.keys() & other.keys())]
    if not pairs:
        return Agreement(
            items=0, mean_difference=None, mean_absolute=None, rmse=None, correlation=None, close=None, same=None
        )
    gaps = [a - b for a, b in pairs]
    return Agreement(
        items=len(pairs),
        mean_difference=_mean(gaps),
        mean_absolute=_mean([abs(gap) for gap in gaps]),
        rmse=math.sqrt(_mean([gap * gap for gap in gaps])),
        correlation=_correlation(pairs),
        close=_mean([float(abs(gap) <= CLOSE + 1e-9) for gap in gaps]),
        same=_mean([float((a >= PASS) == (b >= PASS)) for a, b in pairs]),
    )


def alpha(raters: Sequence[Ratings]) -> float | None:
    """Krippendorff's alpha for intervals: 1 is full agreement, 0 what chance gives. None where nothing varies."""
    units = [
        [rater[key] for rater in raters if key in rater] for key in sorted({key for rater in raters for key in rater})
    ]
    units = [values for values in units if len(values) > 1]
    values = [value for unit in units for value in unit]
    count = len(values)
    if count < 2:
        return None
    # the mean square difference of all pairs of n values is 2n/(n−1) times their variance
    expected = 2 * _variance(values) * count / (count - 1)
    observed = sum(2 * _variance(unit) * len(unit) ** 2 / (len(unit) - 1) for unit in units) / count
    return 1 - observed / expected if expected > 1e-12 else None


def gaps(one: Ratings, other: Ratings, at_least: float = 0.0) -> tuple[Gap, ...]:
    """Where they are apart, furthest first."""
    found = [Gap(key[0], key[1], one[key], other[key]) for key in sorted(one.keys() & other.keys())]
    far = [gap for gap in found if abs(gap.difference) >= at_least]
    return tuple(sorted(far, key=lambda gap: -abs(gap.difference)))


def judge_ratings(records: Sequence[TrialRecord]) -> dict[str, dict[tuple[TrialId, str], float]]:
    """What each judge of a run said of each item, the mean of its repeats. The judge that counts comes first."""
    said: dict[str, dict[tuple[TrialId, str], list[float]]] = {}
    for record in records:
        for opinion in record.opinions:
            for item, score in opinion.items.items():
                said.setdefault(opinion.judge, {}).setdefault((record.id, item), []).append(score)
    return {judge: {key: _mean(scores) for key, scores in found.items()} for judge, found in said.items()}


def judge_pairs(records: Sequence[TrialRecord]) -> tuple[tuple[str, str, Agreement, tuple[Gap, ...]], ...]:
    """Each pair of a run's judges: how far they agree, and the items that somebody should look at."""
    said = judge_ratings(records)
    return tuple(
        (one, other, agreement(said[one], said[other]), gaps(said[one], said[other], FAR))
        for one, other in itertools.combinations(said, 2)
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    middle = _mean(values)
    return _mean([(value - middle) ** 2 for value in values])


def _correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    ones, others = [a for a, _ in pairs], [b for _, b in pairs]
    spread = math.sqrt(_variance(ones) * _variance(others))
    if spread < 1e-12:
        return None
    middle, other_middle = _mean(ones), _mean(others)
    return _mean([(a - middle) * (b - other_middle) for a, b in pairs]) / spread
