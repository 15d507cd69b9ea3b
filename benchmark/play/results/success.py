"""Success and progress of an agent: SR, PG and what is told beside them, over tasks, with intervals clustered by game.

Each task counts once, with the mean of its attempts. The five tasks of a game share its rules and its pictures, so they
are no independent samples: an interval treats a game as one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmark.play.facts import PlayFacts, facts_of
from benchmark.play.track import GENRES, LEVELS
from benchmark.results.statistics import Interval, mean_interval
from benchmark.tasks import UNSORTED
from benchmark.trials import TrialRecord

GROUPS = {"genre": tuple(GENRES), "level": LEVELS}


@dataclass(frozen=True)
class Rates:
    """Over the scored trials of some tasks; all shares from 0 to 1, None where there is nothing."""

    tasks: int
    trials: int
    success: float | None = None
    progress: float | None = None
    first_try: float | None = None
    efficiency: float | None = None  # of solved trials whose policy is known: its actions per action
    invalid: float | None = None  # of all proposals
    no_call: int = 0
    out_of_space: int = 0
    proposals: int = 0
    success_interval: Interval | None = None
    progress_interval: Interval | None = None


@dataclass(frozen=True)
class PlayStanding:
    """One agent with one interface and one clock."""

    agent: str
    interface: str
    clock: str
    rates: Rates
    groups: tuple[tuple[str, str, Rates], ...]  # genre or level, which, rates
    trials: int
    void: int
    cost_usd: float
    seconds: float

    @property
    def coverage(self) -> float:
        return (self.trials - self.void) / self.trials if self.trials else 0.0


def game_of(record: TrialRecord) -> str:
    """The game of a task: its id without number and slug, which are told by `variant`s of one folder."""
    head, _, tail = record.task.rpartition("/")
    words = tail.split("-")
    number = next((place for place, word in enumerate(words) if place and word.isdigit()), len(words))
    return f"{head}/{'-'.join(words[:number])}"


def rates_of(records: Iterable[TrialRecord]) -> Rates:
    scored = [(record, facts) for record in records if (facts := facts_of(record))]
    if not scored:
        return Rates(0, 0)
    efficient = [value for _, facts in scored if (value := facts.efficiency) is not None]
    proposals = sum(facts.proposals for _, facts in scored)
    invalid = sum(facts.invalid for _, facts in scored)
    return Rates(
        tasks=len({record.task for record, _ in scored}),
        trials=len(scored),
        success=_over_tasks(scored, lambda facts, _: float(facts.solved)),
        progress=_over_tasks(scored, lambda _, score: score),
        first_try=_over_tasks(scored, lambda facts, _: float(facts.first_try)),
        efficiency=fmean(efficient) if efficient else None,
        invalid=invalid / proposals if proposals else None,
        no_call=sum(facts.no_call for _, facts in scored),
        out_of_space=sum(facts.out_of_space for _, facts in scored),
        proposals=proposals,
        success_interval=_interval(scored, lambda facts, _: float(facts.solved)),
        progress_interval=_interval(scored, lambda _, score: score),
    )


def standings(records: Sequence[TrialRecord]) -> tuple[PlayStanding, ...]:
    """By interface; within each the farthest first."""
    groups: dict[tuple[str, str, str], list[TrialRecord]] = {}
    known: dict[str, tuple[str, str]] = {}
    for record in records:
        if facts := facts_of(record):
            known.setdefault(record.agent, (facts.interface, facts.mode))
            groups.setdefault((record.agent, facts.interface, facts.mode), []).append(record)
    for record in records:
        if not record.scored:  # nobody knows how it would have been played
            groups.setdefault((record.agent, *known.get(record.agent, ("", ""))), []).append(record)
    found = [_standing(*key, mine) for key, mine in groups.items()]
    return tuple(sorted(found, key=lambda one: (one.interface, one.clock, -(one.rates.progress or 0.0), one.agent)))


def group_of(record: TrialRecord, kind: str) -> str:
    return record.family if kind == "genre" else record.labels.get(kind, UNSORTED)


def _standing(agent: str, interface: str, clock: str, records: list[TrialRecord]) -> PlayStanding:
    groups = []
    for kind, known in GROUPS.items():
        values = {group_of(record, kind) for record in records}
        for value in (*(one for one in known if one in values), *sorted(values - set(known))):
            rates = rates_of(record for record in records if group_of(record, kind) == value)
            if rates.tasks:
                groups.append((kind, value, rates))
    return PlayStanding(
        agent=agent, interface=interface, clock=clock, rates=rates_of(records), groups=tuple(groups),
        trials=len(records), void=sum(not record.scored for record in records),
        cost_usd=sum(record.cost_usd for record in records), seconds=sum(record.total_sec for record in records),
    )  # fmt: skip


Measure = Callable[[PlayFacts, float], float]
Scored = list[tuple[TrialRecord, PlayFacts]]


def _by_task(scored: Scored, measure: Measure) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for record, facts in scored:
        found.setdefault(record.task, []).append(measure(facts, record.score or 0.0))
    return found


def _over_tasks(scored: Scored, measure: Measure) -> float:
    return fmean(map(fmean, _by_task(scored, measure).values()))


def _interval(scored: Scored, measure: Measure) -> Interval | None:
    games = {record.task: game_of(record) for record, _ in scored}
    return mean_interval(_by_task(scored, measure), games) if len(set(games.values())) > 1 else None
