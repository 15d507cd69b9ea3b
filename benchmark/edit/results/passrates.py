"""Success where a trial only passes or fails: pass@1, pass@k, pass^k, and by what tasks have in common.

With n attempts at a task of which c passed, the chance that at least one of k attempts passes is estimated by
1 − C(n−c, k) / C(n, k), and the chance that all of them do by C(c, k) / C(n, k). Both are means over tasks. A task and
its variants share project and test, so they are no independent samples: for the width of an interval they count as one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from statistics import fmean

from benchmark.edit.track import EDITORS, SKILLS
from benchmark.results.statistics import Interval, share_interval
from benchmark.tasks import DIFFICULTIES, UNSORTED
from benchmark.trials import TrialRecord

# what tasks may have in common → its values in the order of the benchmark; others follow by name
GROUPS = {"skill": tuple(SKILLS), "editor": EDITORS, "difficulty": DIFFICULTIES}


@dataclass(frozen=True)
class PassRates:
    """Over tasks; `k` is how many attempts every task has. Intervals need two tasks, not counting variants."""

    tasks: int
    k: int
    pass_1: float | None
    pass_k: float | None
    pass_all_k: float | None
    interval_1: Interval | None = None
    interval_k: Interval | None = None
    interval_all_k: Interval | None = None


@dataclass(frozen=True)
class PassSummary:
    """One agent with one kind of feedback."""

    agent: str
    feedback: str
    rates: PassRates
    trials: int
    void: int
    cost_usd: float
    seconds: float

    @property
    def coverage(self) -> float:
        return (self.trials - self.void) / self.trials if self.trials else 0.0

    @property
    def cost_per_trial(self) -> float:
        return self.cost_usd / self.trials if self.trials else 0.0


@dataclass(frozen=True)
class GroupRates:
    """The tasks of which `kind` (skill, editor, difficulty) is `value`."""

    kind: str
    value: str
    rates: PassRates


@dataclass(frozen=True)
class PassStanding:
    """A line of the leaderboard, with what it is made of."""

    summary: PassSummary
    groups: tuple[GroupRates, ...]


def at_least_one(n: int, c: int, k: int) -> float:
    """pass@k of one task."""
    return 1.0 - comb(n - c, k) / comb(n, k)


def all_of(n: int, c: int, k: int) -> float:
    """pass^k of one task."""
    return comb(c, k) / comb(n, k)


def pass_rates(records: Iterable[TrialRecord]) -> PassRates:
    """Of the scored trials; a void one is no failure."""
    tasks: dict[str, list[float]] = {}
    origins: set[str] = set()
    for record in records:
        if record.scored:
            tasks.setdefault(record.task, []).append(record.score or 0.0)
            origins.add(record.origin)
    if not tasks:
        return PassRates(tasks=0, k=0, pass_1=None, pass_k=None, pass_all_k=None)
    k = min(map(len, tasks.values()))
    counts = [(len(scores), round(sum(scores))) for scores in tasks.values()]
    one = fmean(c / n for n, c in counts)
    any_k = fmean(at_least_one(n, c, k) for n, c in counts)
    all_k = fmean(all_of(n, c, k) for n, c in counts)
    around = [share_interval(share, len(origins)) if len(origins) > 1 else None for share in (one, any_k, all_k)]
    return PassRates(
        tasks=len(tasks), k=k, pass_1=one, pass_k=any_k, pass_all_k=all_k,
        interval_1=around[0], interval_k=around[1], interval_all_k=around[2],
    )  # fmt: skip


def group_of(record: TrialRecord, kind: str) -> str:
    """Which skill, editor or difficulty a trial belongs to."""
    if kind == "skill":
        return record.family
    return record.difficulty if kind == "difficulty" else record.labels.get(kind, UNSORTED)


def summarize_passes(records: Iterable[TrialRecord]) -> tuple[PassSummary, ...]:
    """Each agent and feedback, best first."""
    return tuple(summary for summary, _ in _ranked(records))


def pass_standings(records: Iterable[TrialRecord]) -> tuple[PassStanding, ...]:
    """The same, each with its rates by skill, editor and difficulty."""
    standings = []
    for summary, found in _ranked(records):
        groups = []
        for kind in GROUPS:
            for value in group_values(found, kind):
                rates = pass_rates(record for record in found if group_of(record, kind) == value)
                if rates.tasks:
                    groups.append(GroupRates(kind, value, rates))
        standings.append(PassStanding(summary, tuple(groups)))
    return tuple(standings)


def group_values(records: Iterable[TrialRecord], kind: str) -> tuple[str, ...]:
    """The skills, editors or difficulties that there are, in the order of the benchmark."""
    found = {group_of(record, kind) for record in records}
    known = [value for value in GROUPS[kind] if value in found]
    return (*known, *sorted(found - set(known)))


def _ranked(records: Iterable[TrialRecord]) -> list[tuple[PassSummary, list[TrialRecord]]]:
    groups: dict[tuple[str, str], list[TrialRecord]] = {}
    for record in records:
        groups.setdefault((record.agent, record.feedback), []).append(record)
    summaries = [
        PassSummary(
            agent=agent,
            feedback=feedback,
            rates=pass_rates(found),
            trials=len(found),
            void=sum(not record.scored for record in found),
            cost_usd=sum(record.cost_usd for record in found),
            seconds=sum(record.total_sec for record in found),
        )
        for (agent, feedback), found in groups.items()
    ]
    pairs = zip(summaries, groups.values(), strict=True)
    return sorted(pairs, key=lambda pair: (-(pair[0].rates.pass_1 or 0.0), pair[0].agent, pair[0].feedback))
