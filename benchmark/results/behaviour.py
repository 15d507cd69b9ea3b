"""What agents did and what it took them, averaged from the records of a run: tool calls, looks, tokens, money, time.

Only scored trials count, and each number only over the trials that know it: an agent that leaves no trajectory has no
tool calls, not none.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from benchmark.agents.calls import ALL_KINDS
from benchmark.results.averages import by_agent, by_track, counted
from benchmark.results.tables import Cell, Column, Kind, Table, TrialColumn
from benchmark.trials import TrialRecord

# activity of a record → how people call it
COUNTS = {
    "turns": "Turns", "tool_calls": "Tool calls", "failed_calls": "Failed calls", "inspections": "Looks at the game",
    "pictures": "Pictures seen",
}  # fmt: skip
TOKENS = {
    "prompt_tokens": "Prompt tokens", "cached_tokens": "Cached tokens", "completion_tokens": "Completion tokens",
    "reasoning_tokens": "Reasoning tokens",
}  # fmt: skip
KIND_COUNTS = {f"calls_{kind}": f"Calls: {kind}" for kind in ALL_KINDS}
COST = "cost_usd"
WORK_STAGE = "produce"  # the stage in which the agent works
# What a gate may ask of any agent, and which activity that is: the mean over its trials.
GATE_NAMES = {"cost_per_trial": COST, "tool_calls": "tool_calls", "turns": "turns", "inspections": "inspections"}


@dataclass(frozen=True)
class Behaviour:
    """One agent on one track. Means are per trial, by the names of activities."""

    agent: str
    trials: int  # scored
    known: int  # of those, how many tell of tool calls
    means: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None  # that it worked
    points: tuple[tuple[float, float], ...] = ()  # tool calls and score of each trial
    correlation: float | None = None

    @property
    def kinds(self) -> tuple[tuple[str, float], ...]:
        """Mean calls of each kind that there are."""
        found = ((kind, self.means.get(f"calls_{kind}", 0.0)) for kind in ALL_KINDS)
        return tuple((kind, mean) for kind, mean in found if mean)


def behaviour_of(agent: str, records: Iterable[TrialRecord]) -> Behaviour:
    """Of one agent on one track."""
    from benchmark.results.statistics import pearson  # brings NumPy

    scored = [record for record in counted(list(records)) if record.scored]
    known = [record for record in scored if "tool_calls" in record.activity]
    means = {name: _mean(known, name) for name in (*COUNTS, *TOKENS, *KIND_COUNTS)}
    paid = [record for record in scored if COST in record.activity]
    worked = [record.seconds[WORK_STAGE] for record in scored if WORK_STAGE in record.seconds]
    points = tuple((record.activity["tool_calls"], record.score or 0.0) for record in known)
    return Behaviour(
        agent=agent,
        trials=len(scored),
        known=len(known),
        means={name: mean for name, mean in means.items() if mean is not None}
        | ({COST: fmean(record.activity[COST] for record in paid)} if paid else {}),
        seconds=fmean(worked) if worked else None,
        points=points,
        correlation=pearson(points),
    )


def _mean(records: Sequence[TrialRecord], name: str) -> float | None:
    """A kind of call that a record does not name did not occur."""
    return fmean(record.activity.get(name, 0.0) for record in records) if records else None


def gate_values_of(records: Sequence[TrialRecord]) -> dict[str, float]:
    """Of one agent on one track, for conditions; what is not known is not among them."""
    means = behaviour_of("", records).means
    return {name: means[activity] for name, activity in GATE_NAMES.items() if activity in means}


def behaviour_tables(records: Sequence[TrialRecord]) -> dict[str, Table]:
    """By file name; none where no agent told what it did or cost."""
    found = [
        (track.name, behaviour_of(agent, own))
        for track, of_track in by_track(records)
        for agent, own in by_agent(of_track).items()
    ]
    if not any(one.means for _, one in found):
        return {}
    rows: list[tuple[Cell, ...]] = [
        (
            track, one.agent, one.trials, one.known, *(one.means.get(name) for name in _MEANS), one.seconds,
            one.correlation,
        )
        for track, one in found
    ]  # fmt: skip
    return {"activity": Table("What agents did, mean per trial", _COLUMNS, tuple(rows), grouped=True)}


_MEANS = (*COUNTS, *KIND_COUNTS, *TOKENS, COST)
_COLUMNS = (
    Column("track", "Track"),
    Column("agent", "Agent"),
    Column("trials", "Trials", "count"),
    Column("known", "With a trajectory", "count"),
    *(Column(name, title, "number") for name, title in {**COUNTS, **KIND_COUNTS, **TOKENS}.items()),
    Column(COST, "Cost per trial (USD)", "number"),
    Column("agent_seconds", "Agent's time (s)", "number"),
    Column("calls_score_correlation", "r of calls and score", "number"),
)


def _of_activity(name: str) -> Callable[[TrialRecord], Cell]:
    def value(record: TrialRecord) -> Cell:
        found = record.activity.get(name)
        return int(found) if found is not None and name != COST else found

    return value


def _column(name: str, title: str) -> TrialColumn:
    kind: Kind = "number" if name == COST else "count"
    column = Column("agent_cost_usd" if name == COST else name, title, kind)
    return TrialColumn("agent_ended", column, _of_activity(name))


TRIAL_COLUMNS = tuple(
    _column(name, title) for name, title in {**COUNTS, **KIND_COUNTS, **TOKENS, COST: "Agent's cost (USD)"}.items()
)
