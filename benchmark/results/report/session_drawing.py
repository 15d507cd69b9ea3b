"""The time of an agent's session as a drawing: a lane of the model and one of each kind of tool. Across in percent."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.agents.calls import ALL_KINDS, OTHER, kind_of, summary_of
from benchmark.agents.trajectory import Step
from benchmark.results.report.session_clock import Clocked


@dataclass(frozen=True)
class SessionMark:
    """In a lane of the drawing, in percent of its width."""

    step: int
    x: float
    width: float
    title: str


@dataclass(frozen=True)
class SessionLane:
    """One kind of tool, or the model."""

    kind: str
    marks: tuple[SessionMark, ...]


@dataclass(frozen=True)
class BarPart:
    """A part of a whole: of the time, or of the calls. `x` and `width` in percent."""

    kind: str
    value: float
    x: float
    width: float


def times(steps: Sequence[Step], clocked: Sequence[Clocked]) -> list[tuple[str, float]]:
    """Seconds by what they were spent on: the model first, then the tools."""
    spent: Counter[str] = Counter()
    for step, when in zip(steps, clocked, strict=True):
        if when.before:
            spent[when.spent] += when.before.seconds  # type: ignore[assignment]
        kinds = {call.id: kind_of(call) for call in step.calls}
        for call, span in when.calls.items():
            spent[kinds.get(call, OTHER)] += span.seconds  # type: ignore[assignment]
    return [(kind, spent[kind]) for kind in ("model", "both", *ALL_KINDS, "pause") if spent[kind] > 0]


def shares(values: Sequence[tuple[str, float]], whole: float = 0.0) -> tuple[BarPart, ...]:
    """Side by side. Of their sum, unless a larger whole is named."""
    whole = whole or sum(value for _, value in values)
    shares, x = [], 0.0
    for kind, value in values:
        width = 100 * value / whole if whole else 0.0
        shares.append(BarPart(kind, value, x, width))
        x += width
    return tuple(shares)


def lanes(steps: Sequence[Step], clocked: Sequence[Clocked], seconds: float) -> tuple[SessionLane, ...]:
    """The model's, then one of each kind of tool that was called."""
    lanes: dict[str, list[SessionMark]] = {kind: [] for kind in ("model", *ALL_KINDS)}
    for place, (step, when) in enumerate(zip(steps, clocked, strict=True)):
        if not seconds:
            start, end = 100 * place / len(steps), 100 * (place + 1) / len(steps)
        elif when.at is None:
            continue
        else:
            start = end = 100 * when.at / seconds
        if step.source == "agent" and (when.before or not seconds):
            begin = 100 * when.before.start / seconds if when.before and seconds else start
            took = f", {when.before.seconds:.1f} s" if when.before else ""
            what = "model or tools" if when.spent == "both" else "model"
            lanes["model"].append(SessionMark(place + 1, begin, end - begin, f"step {place + 1}: {what}{took}"))
        for call in step.calls:
            span = when.calls.get(call.id)
            x, width = (
                (100 * span.start / seconds, 100 * span.seconds / seconds) if span and seconds else (start, end - start)
            )
            took = f", {span.seconds:.1f} s" if span else ""
            lanes[kind_of(call)].append(
                SessionMark(place + 1, x, width, f"step {place + 1}: {call.name} {summary_of(call, 80)}{took}")
            )
    return tuple(SessionLane(kind, tuple(marks)) for kind, marks in lanes.items() if marks)


def ticks(seconds: float) -> tuple[tuple[float, float], ...]:
    """Four to eight round times."""
    if not seconds:
        return ()
    steps = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400, 432000)
    step = next((one for one in steps if seconds / one <= 8), steps[-1])
    return tuple((100 * place * step / seconds, place * step) for place in range(int(seconds / step) + 1))
