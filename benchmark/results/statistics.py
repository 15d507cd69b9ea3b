"""Intervals: how far a number would move with other tasks and other repeats."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
DRAWS = 4000
LEVEL = 0.95
_SEED = 20_250_101  # the same numbers every time


@dataclass(frozen=True)
class Interval:
    """A mean and where it lies with 95 % confidence."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"


def mean_interval(tasks: Mapping[str, Sequence[float]], origins: Mapping[str, str] | None = None) -> Interval:
    """Of the mean over tasks; each draw takes tasks with replacement, and for each of them one set of its repeats.

    `origins` names the task that a task is a variant of: those of one origin are drawn together.
    """
    names = sorted(tasks)
    exact = float(np.mean([np.mean(tasks[name]) for name in names]))
    generator = np.random.default_rng(_SEED)
    resampled = np.stack([_resampled_means(np.asarray(tasks[name], float), generator) for name in names])
    return _interval(exact, resampled, _origins(names, origins), generator)


def share_interval(share: float, count: int) -> Interval:
    """Of a share of `count` tasks, after Wilson. A bootstrap of tasks that all passed would be certain of itself."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return Interval(share, max(middle - half, 0.0), min(middle + half, 1.0))


def difference_interval(
    new: Mapping[str, Sequence[float]], old: Mapping[str, Sequence[float]], origins: Mapping[str, str] | None = None
) -> Interval:
    """Of new minus old over the tasks that both have: the same tasks are drawn for both."""
    names = sorted(new.keys() & old.keys())
    exact = float(np.mean([np.mean(new[name]) - np.mean(old[name]) for name in names]))
    generator = np.random.default_rng(_SEED)
    resampled = np.stack(
        [
            _resampled_means(np.asarray(new[name], float), generator)
            - _resampled_means(np.asarray(old[name], float), generator)
            for name in names
        ]
    )
    return _interval(exact, resampled, _origins(names, origins), generator)


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """How far two numbers rise and fall together, from -1 to 1; None below three pairs, or where one is constant."""
    if len(pairs) < 3:
        return None
    x, y = np.asarray(pairs, float).T
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    x, y = x - x.mean(), y - y.mean()
    spread = math.sqrt(float((x @ x) * (y @ y)))
    return min(max(float(x @ y) / spread, -1.0), 1.0) if spread else None


def _origins(names: Sequence[str], origins: Mapping[str, str] | None) -> list[str]:
    return [(origins or {}).get(name, name) for name in names]


def _resampled_means(values: Numbers, generator: np.random.Generator) -> Numbers:
    if len(values) == 1:
        return np.full(DRAWS, values[0])
    picks = generator.integers(0, len(values), (DRAWS, len(values)))
    return np.asarray(values[picks].mean(axis=1))


def _interval(exact: float, resampled: Numbers, origins: Sequence[str], generator: np.random.Generator) -> Interval:
    groups, of_group = np.unique(np.asarray(origins), return_inverse=True)
    sums, sizes = np.zeros((len(groups), DRAWS)), np.bincount(of_group)
    np.add.at(sums, of_group, resampled)
    picks = generator.integers(0, len(groups), (DRAWS, len(groups)))
    means = sums[picks, np.arange(DRAWS)[:, None]].sum(axis=1) / sizes[picks].sum(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(exact, float(low), float(high))
