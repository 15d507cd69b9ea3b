"""From what the judge said of each demo to the score of a trial. Exactly the published formula."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmark.craft.rubric import BUILD, CATEGORIES, Rubric
from benchmark.errors import InfrastructureError


@dataclass(frozen=True)
class Scores:
    """Items, the mean of each category's items, and the formula over them."""

    build: int
    items: dict[str, float]
    categories: dict[str, float]
    score: float


def aggregate(rubric: Rubric, build: int, demos: Sequence[Mapping[str, float]]) -> Scores:
    """`demos` holds the scores of every item for each demo. A missing or impossible number is never repaired."""
    if not build:
        zero = dict.fromkeys(rubric.ids, 0.0)
        return Scores(0, zero, _categories(zero), 0.0)
    if not demos:
        raise InfrastructureError("nothing was judged")
    items = {}
    for item in rubric.requirements:
        values = [_score_of(demo, item.id) for demo in demos]
        items[item.id] = max(values) if item.agg == "max" else sum(values) / len(values)
    score = rubric.formula.value({BUILD: float(build), **items})
    return Scores(build, items, _categories(items), min(max(score, 0.0), 1.0))


def _score_of(demo: Mapping[str, float], name: str) -> float:
    value = demo.get(name)
    if value is None or not 0.0 <= value <= 1.0:  # NaN fails the comparison too
        raise InfrastructureError(f"the judge gave {value!r} for {name}; a number from 0 to 1 is needed")
    return float(value)


def _categories(items: Mapping[str, float]) -> dict[str, float]:
    means = {}
    for letter in CATEGORIES:
        values = [value for name, value in items.items() if name[0] == letter]
        if values:
            means[letter] = sum(values) / len(values)
    return means
