"""Something against success as a drawing: where each point, interval and name goes. Across in percent, down in pixels.

A drawing that is scaled as a whole has letters that nobody can read on a phone. So only distances across follow
the width of the page; names are left out where they would lie on others at the width assumed here, and on a phone.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

HEIGHT = 300
MARGIN = 14  # of the points from all edges, so that none is cut in half
_ASSUMED_WIDTH = 820.0  # of the drawing on a page of ordinary width
_CHARACTER = 7.5
_LINE = 17.0
_RADIUS = 10.0
_LONGEST_NAME = 40


@dataclass(frozen=True)
class Dot:
    """What is drawn: an amount, and a share from 0 to 1 with its interval if it has one."""

    number: int  # stands in the point: the place in a leaderboard
    title: str  # all that is said of it
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    name: str = ""  # beside the point, where there is room
    key: str = ""  # below the drawing
    link: str = ""


@dataclass(frozen=True)
class Point:
    """A dot at its place."""

    dot: Dot
    x: float  # percent
    y: float  # pixels
    low: float | None
    high: float | None
    name: str  # empty where there is no room
    end: bool  # whether the name stands before the point


@dataclass(frozen=True)
class Plot:
    """All of it. Without points there is nothing to draw."""

    points: tuple[Point, ...] = ()
    ticks_x: tuple[tuple[float, str], ...] = ()
    ticks_y: tuple[tuple[float, str], ...] = ()
    height: int = HEIGHT


def lay_out_plot(dots: Sequence[Dot], words: Callable[[float, float], str]) -> Plot:
    """`dots` best first; `words` says what stands at a tick, from the width of a step and the amount."""
    if not dots:
        return Plot()
    step, count = nice_steps(max(max(dot.x for dot in dots), 1e-6))
    most = step * count
    placed = [(dot, dot.x / most * 100, _down(dot.y)) for dot in dots]
    names = _names([(dot.name, x, y) for dot, x, y in placed])
    points = []
    for (dot, x, y), (name, end) in zip(placed, names, strict=True):
        low, high = (None if value is None else _down(value) for value in (dot.low, dot.high))
        points.append(Point(dot=dot, x=x, y=y, low=low, high=high, name=name, end=end))
    return Plot(
        tuple(points),
        tuple((100 * place / count, words(step, step * place)) for place in range(count + 1)),
        tuple((_down(share / 4), f"{share * 25} %") for share in range(5)),
    )


def dollars(step: float, amount: float) -> str:
    """Nobody writes $0.2."""
    small = -math.floor(math.log10(step) + 1e-9)
    return f"${amount:.{max(2, small) if small > 0 else 0}f}"


def plain_number(step: float, amount: float) -> str:
    return f"{amount:,.{max(0, -math.floor(math.log10(step) + 1e-9))}f}"


def nice_steps(most: float) -> tuple[float, int]:
    """The width of a step (1, 2 or 5 times a power of ten) and how many of them hold `most`: 3 to 8."""
    power = 10.0 ** math.floor(math.log10(most / 3))
    step = max(factor * power for factor in (1, 2, 5) if factor * power <= most / 3 * (1 + 1e-9))
    return step, math.ceil(most / step - 1e-9)


def _down(share: float) -> float:
    return round(MARGIN + (1 - share) * (HEIGHT - 2 * MARGIN), 2)


def _names(points: Sequence[tuple[str, float, float]]) -> list[tuple[str, bool]]:
    """The best first: each name after its point, else before it, else nowhere."""
    taken = [_box(x / 100 * _ASSUMED_WIDTH - _RADIUS, y, 2 * _RADIUS) for _, x, y in points]
    named = []
    for index, (name, percent, y) in enumerate(points):
        x = percent / 100 * _ASSUMED_WIDTH
        width = len(name) * _CHARACTER
        others = [box for place, box in enumerate(taken) if place != index]
        chosen = ("", False)
        for end in (False, True):
            box = _box(x - _RADIUS - 4 - width if end else x + _RADIUS + 4, y, width)
            inside = box[0] >= 0 and box[2] <= _ASSUMED_WIDTH
            if name and inside and len(name) <= _LONGEST_NAME and not any(_meet(box, other) for other in others):
                taken.append(box)
                chosen = (name, end)
                break
        named.append(chosen)
    return named


def _box(left: float, middle: float, width: float) -> tuple[float, float, float, float]:
    return left, middle - _LINE / 2, left + width, middle + _LINE / 2


def _meet(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
