"""Where the time of an agent's session went, as far as its trajectory tells.

A step of the agent bears the time at which its message was complete; the results of its calls bear the time at which
they came back. Between the two a tool worked; from the last result to the next message the model was waited for. A
program that says nothing of its results leaves both in one span, and that is what is shown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from benchmark.agents.trajectory import Step

Spent = Literal["model", "both", "pause"]  # waiting for the model; for model or tools; for whoever started it again
_LONGEST_SEC = 30 * 86400.0  # a step that is said to have come later than this says nothing


@dataclass(frozen=True)
class Span:
    """In seconds since the first time that is known."""

    start: float
    end: float

    @property
    def seconds(self) -> float:
        return self.end - self.start


@dataclass(frozen=True)
class Clocked:
    """When a step was: what was waited for before it, and how long each of its calls took, by the call's id."""

    at: float | None
    before: Span | None
    spent: Spent
    calls: dict[str, Span]


def clock(steps: Sequence[Step]) -> tuple[tuple[Clocked, ...], float]:
    """Each step, and how long all of them took. Time never runs backwards, whatever the file says."""
    times = _Times(steps)
    found = []
    now: float | None = None  # the end of what is known
    told = True  # whether `now` is the end of the tools of the step before
    for step in steps:
        at = times.of(step.time)
        if at is not None and now is not None:
            at = max(at, now)
        before = Span(now, at) if at is not None and now is not None else None
        spent: Spent = "pause" if step.source != "agent" else "model" if told else "both"
        now = at if at is not None else now
        calls, now = times.calls(step, now)
        if at is not None or calls:
            told = not step.calls or bool(calls)
        found.append(Clocked(at, before, spent, calls))
    return tuple(found), now or 0.0


class _Times:
    """What the texts of a file mean, in seconds since the first that means anything."""

    def __init__(self, steps: Iterable[Step]) -> None:
        known = (moment(text) for step in steps for text in (step.time, *(one.time for one in step.results)))
        self._first = next((one for one in known if one is not None), 0.0)

    def of(self, text: str) -> float | None:
        found = moment(text)
        if found is None or abs(found - self._first) > _LONGEST_SEC:
            return None
        return max(found - self._first, 0.0)

    def calls(self, step: Step, now: float | None) -> tuple[dict[str, Span], float | None]:
        """One after the other: of those that ran at the same time, each gets what it took longer than the others."""
        ends = [(end, one.call) for one in step.results if (end := self.of(one.time)) is not None]
        spans: dict[str, Span] = {}
        for end, call in sorted(ends, key=lambda entry: entry[0]):
            start = now if now is not None else end
            now = max(end, start)
            spans[call] = Span(start, now)
        return spans, now


def moment(text: str) -> float | None:
    """Seconds of an ISO 8601 time; None for what is none."""
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
