"""What the track's records of a run add up to, per agent and family. Averages are over tasks, as the paper's are."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchmark.craft.record import facts_of
from benchmark.craft.rubric import CATEGORIES
from benchmark.results.averages import by_agent, counted
from benchmark.trials import TrialRecord

LETTERS = tuple(CATEGORIES)


@dataclass(frozen=True)
class Averages:
    """Means over tasks; each task counts once, with the mean of its attempts. None where nothing was scored."""

    tasks: int
    overall: float | None
    build: float | None
    categories: dict[str, float]


@dataclass(frozen=True)
class AgentSummary:
    """One line of the leaderboard."""

    agent: str
    judge: str
    proxy: bool
    averages: Averages
    families: dict[str, Averages]
    trials: int
    void: int
    launch_rate: float | None  # the two halves of BUILD, each over the scored trials of which it is known
    valid_trace_rate: float | None
    demos_per_trial: float
    demo_seconds: float
    cost_usd: float
    seconds: float

    @property
    def coverage(self) -> float:
        """Share of the trials that have a number."""
        return (self.trials - self.void) / self.trials if self.trials else 0.0


def summarize(records: Iterable[TrialRecord]) -> tuple[AgentSummary, ...]:
    """All agents of a run, best first. The example task counts only where there is nothing else."""
    summaries = [_summarize(agent, found) for agent, found in by_agent(records).items()]
    return tuple(sorted(summaries, key=lambda one: (-(one.averages.overall or 0.0), one.agent)))


def _summarize(agent: str, records: list[TrialRecord]) -> AgentSummary:
    taken = counted(records)
    scored = [record for record in taken if record.scored]
    demos = [demo for record in scored for demo in facts_of(record).demos]
    judges = sorted({record.judge for record in records})
    return AgentSummary(
        agent=agent,
        judge=" + ".join(judges),
        proxy=any(record.proxy for record in records),
        averages=average(taken),
        families={
            family: average([r for r in records if r.family == family])
            for family in sorted({r.family for r in records})
        },
        trials=len(taken),
        void=len(taken) - len(scored),
        launch_rate=_rate(True if one.build else one.launches for one in map(facts_of, scored)),
        valid_trace_rate=_rate(True if one.build else one.has_trace for one in map(facts_of, scored)),
        demos_per_trial=len(demos) / len(scored) if scored else 0.0,
        demo_seconds=sum(demo.seconds for demo in demos) / len(demos) if demos else 0.0,
        cost_usd=sum(record.cost_usd for record in records),
        seconds=sum(record.total_sec for record in records),
    )


def _rate(facts: Iterable[bool | None]) -> float | None:
    """The share that holds. Records of older versions with BUILD 0 do not say which half failed."""
    known = [fact for fact in facts if fact is not None]
    return sum(known) / len(known) if known else None


def average(records: Iterable[TrialRecord]) -> Averages:
    """Over tasks. Void trials have no number and are left out; `coverage` tells how many."""
    tasks: dict[str, list[TrialRecord]] = {}
    for record in records:
        if record.scored:
            tasks.setdefault(record.task, []).append(record)
    if not tasks:
        return Averages(0, None, None, {})

    def over(value_of: dict[str, float]) -> float:
        return sum(value_of.values()) / len(value_of)

    overall = {task: _mean([r.score or 0.0 for r in found]) for task, found in tasks.items()}
    build = {task: _mean([float(facts_of(r).build or 0) for r in found]) for task, found in tasks.items()}
    categories = {
        letter: over({task: _mean([r.categories.get(letter, 0.0) for r in found]) for task, found in tasks.items()})
        for letter in LETTERS
    }
    return Averages(len(tasks), over(overall), over(build), categories)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
