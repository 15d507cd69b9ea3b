"""What the records of one track add up to: for the terminal, gates, tables and the document that is a baseline later.

The default suits any track whose trials get a score from 0 to 1. A track that counts otherwise overrides what differs.
Records of different tracks never meet here: every function is given those of its own track only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from benchmark.results.averages import by_agent, counted, scores_by_task
from benchmark.results.behaviour import GATE_NAMES, gate_values_of
from benchmark.results.tables import COUNTS_AND_COST, WHO_AND_OVERALL, Cell, Table, TrialColumn
from benchmark.text import duration
from benchmark.trials import TrialRecord

if TYPE_CHECKING:
    from benchmark.results.statistics import Interval
    from benchmark.tracks import Track

COMMON_NAMES = ("overall", "coverage", "trials", "tasks", "cost", *GATE_NAMES)


@dataclass(frozen=True)
class Mean:
    """One agent. Each task counts once, with the mean of its attempts; `overall` is None where nothing was scored."""

    agent: str
    judge: str
    proxy: bool
    overall: float | None
    families: Mapping[str, float]
    tasks: int
    trials: int
    void: int
    cost_usd: float
    seconds: float

    @property
    def coverage(self) -> float:
        """Share of the trials that have a number."""
        return (self.trials - self.void) / self.trials if self.trials else 0.0


class Metrics:
    """Of one track. Stateless but for the track it is about."""

    mean_name = "overall"  # what the document calls the number that a later run is compared with
    trial_columns: tuple[TrialColumn, ...] = ()  # of its own in the table of trials

    def __init__(self, track: "Track") -> None:
        self.track = track

    @property
    def document_key(self) -> str:
        """Where the document keeps the agents of this track."""
        return self.track.name

    def gate_names(self) -> tuple[str, ...]:
        """What a condition may use, without the track's name before it."""
        return (*COMMON_NAMES, *map(as_name, self.track.families))

    def gate_values(self, records: Sequence[TrialRecord]) -> dict[str, float]:
        """The numbers of one agent; what has no number is not among them."""
        one = _mean_of("", records)
        values: dict[str, float] = {
            "coverage": one.coverage, "trials": one.trials, "tasks": one.tasks, "cost": one.cost_usd,
        }  # fmt: skip
        values |= {"overall": one.overall} if one.overall is not None else {}
        values |= gate_values_of(records)
        return values | {as_name(family): value for family, value in one.families.items()}

    def lines(self, records: Sequence[TrialRecord]) -> list[str]:
        """The table at the end of a run in the terminal."""
        means = ranked(records)
        width = max([len(one.agent) for one in means] + [5])
        lines = [f"{'agent':{width}}  overall  trials  void   time    cost"]
        for one in means:
            overall = f"{one.overall:.3f}" if one.overall is not None else "    –"
            lines.append(
                f"{one.agent:{width}}    {overall}  {one.trials:6}  {one.void:4}  {duration(one.seconds):>5}  "
                f"${one.cost_usd:.2f}"
            )
        return lines

    def progress(self, record: TrialRecord) -> str:
        """What a finished trial's line says after its number; empty: the reason, if there is one."""
        return " ".join(f"{name} {value:.2f}" for name, value in record.categories.items())

    def seen_in(self, record: TrialRecord) -> str:
        """Where its items were looked for, in a few words; empty if there is nothing to say."""
        return ""

    def tables(self, records: Sequence[TrialRecord]) -> dict[str, Table]:
        """By the name of their files. The first is what people look for."""
        rows: list[tuple[Cell, ...]] = []
        for one in ranked(records):
            interval = interval_of(records, one.agent)
            rows.append(
                (
                    one.agent, one.judge, one.proxy, one.overall, *ends(interval), one.tasks, one.trials, one.void,
                    one.coverage, one.cost_usd, one.seconds,
                )
            )  # fmt: skip
        return {self.track.name: Table(f"Leaderboard: {self.track.about}", _LEADERBOARD, tuple(rows))}

    def behaviour_tables(self, records: Sequence[TrialRecord]) -> dict[str, Table]:
        """By the name of their files: of what agents did, what only this track knows; those that say something."""
        return {}

    def legend(self) -> dict[str, Any]:
        """What a reader of the document has to know, said once in it."""
        return {}

    def document(self, records: Sequence[TrialRecord]) -> list[dict[str, Any]]:
        """Everything that a later run is compared with, best agent first."""
        return [
            {
                "agent": one.agent, "judge": one.judge, "proxy": one.proxy, "overall": one.overall,
                "interval": list(ends(interval)) if (interval := interval_of(records, one.agent)) else None,
                "trials": one.trials, "void": one.void, "coverage": one.coverage, "cost_usd": one.cost_usd,
                "seconds": one.seconds, "families": dict(one.families),
                "tasks": tasks_document(record for record in records if record.agent == one.agent),
            }
            for one in ranked(records)
        ]  # fmt: skip


_LEADERBOARD = (*WHO_AND_OVERALL, *COUNTS_AND_COST)


def as_name(family: str) -> str:
    """A family as a condition can spell it: `card-game` → `card_game`, `2d-graphics` → `graphics_2d`."""
    words = family.split("-")
    return "_".join([*words[1:], words[0]] if words[0][:1].isdigit() else words)


def ranked(records: Sequence[TrialRecord]) -> list[Mean]:
    """Best first."""
    means = [_mean_of(agent, found) for agent, found in by_agent(records).items()]
    return sorted(means, key=lambda one: (-(one.overall or 0.0), one.agent))


def interval_of(records: Sequence[TrialRecord], agent: str) -> "Interval | None":
    """Of an agent's mean over tasks. One task says nothing about how others would have gone."""
    from benchmark.results.statistics import mean_interval  # brings NumPy

    tasks = scores_by_task([record for record in records if record.agent == agent])
    return mean_interval(tasks) if len(tasks) > 1 else None


def ends(interval: "Interval | None") -> tuple[Cell, Cell]:
    return (interval.low, interval.high) if interval else (None, None)


def tasks_document(records: Iterable[TrialRecord]) -> dict[str, list[float]]:
    return {task: list(scores) for task, scores in sorted(scores_by_task(list(records)).items())}


def _mean_of(agent: str, records: Sequence[TrialRecord]) -> Mean:
    taken = counted(records)
    families = {family: _over_tasks(r for r in taken if r.family == family) for family in {r.family for r in taken}}
    return Mean(
        agent=agent,
        judge=" + ".join(sorted({record.judge for record in records if record.judge})),
        proxy=any(record.proxy for record in records),
        overall=_over_tasks(taken),
        families={family: value for family, value in sorted(families.items()) if value is not None},
        tasks=len({record.task for record in taken if record.scored}),
        trials=len(taken),
        void=sum(not record.scored for record in taken),
        cost_usd=sum(record.cost_usd for record in records),
        seconds=sum(record.total_sec for record in records),
    )


def _over_tasks(records: Iterable[TrialRecord]) -> float | None:
    scores: dict[str, list[float]] = {}
    for record in records:
        if record.score is not None:
            scores.setdefault(record.task, []).append(record.score)
    return fmean(map(fmean, scores.values())) if scores else None
