"""Tables of the trials that pass or fail: by agent, and by what tasks have in common."""

from collections.abc import Callable, Sequence

from benchmark.results.passrates import pass_rates, passing, summarize_passes
from benchmark.results.statistics import Interval
from benchmark.results.tables import Cell, Column, Table
from benchmark.tasks import DIFFICULTIES, EDITORS, SKILLS, UNSORTED
from benchmark.trials import TrialRecord

_PASSES = (
    Column("agent", "Agent"),
    Column("feedback", "Feedback"),
    Column("pass_1", "pass@1", "percent"),
    Column("pass_1_low", "95 % from", "percent"),
    Column("pass_1_high", "95 % to", "percent"),
    Column("k", "k", "count"),
    Column("pass_k", "pass@k", "percent"),
    Column("pass_k_low", "95 % from", "percent"),
    Column("pass_k_high", "95 % to", "percent"),
    Column("pass_all_k", "pass^k", "percent"),
    Column("pass_all_k_low", "95 % from", "percent"),
    Column("pass_all_k_high", "95 % to", "percent"),
    Column("tasks", "Tasks", "count"),
    Column("trials", "Trials", "count"),
    Column("void", "Void", "count"),
    Column("cost_per_trial", "Cost per trial (USD)", "number"),
    Column("seconds", "Time (s)", "number"),
)
_GROUPS = (
    Column("agent", "Agent"),
    Column("feedback", "Feedback"),
    Column("group", "By"),
    Column("value", ""),
    Column("tasks", "Tasks", "count"),
    Column("pass_1", "pass@1", "percent"),
    Column("pass_1_low", "95 % from", "percent"),
    Column("pass_1_high", "95 % to", "percent"),
    Column("pass_k", "pass@k", "percent"),
    Column("pass_all_k", "pass^k", "percent"),
)


def pass_table(records: Sequence[TrialRecord]) -> Table:
    """One row per agent and feedback."""
    rows: list[tuple[Cell, ...]] = []
    for one in summarize_passes(records):
        rates = one.rates
        rows.append(
            (
                one.agent, one.feedback, rates.pass_1, *_ends(rates.interval_1), rates.k, rates.pass_k,
                *_ends(rates.interval_k), rates.pass_all_k, *_ends(rates.interval_all_k), rates.tasks, one.trials,
                one.void, one.cost_per_trial, one.seconds,
            )
        )  # fmt: skip
    return Table("Passed tests", _PASSES, tuple(rows))


def pass_groups(records: Sequence[TrialRecord]) -> Table:
    """By skill, by editor, by difficulty."""
    kinds: dict[str, tuple[Callable[[TrialRecord], str], tuple[str, ...]]] = {
        "skill": (lambda record: record.family, (*SKILLS, UNSORTED)),
        "editor": (lambda record: record.labels.get("editor", UNSORTED), (*EDITORS, UNSORTED)),
        "difficulty": (lambda record: record.difficulty, DIFFICULTIES),
    }
    rows: list[tuple[Cell, ...]] = []
    taken = passing(records)
    for one in summarize_passes(records):
        mine = [r for r in taken if (r.agent, r.labels.get("feedback", "none")) == (one.agent, one.feedback)]
        for kind, (of, order) in kinds.items():
            for value in order:
                rates = pass_rates(record for record in mine if of(record) == value)
                if rates.tasks:
                    numbers = (rates.tasks, rates.pass_1, *_ends(rates.interval_1), rates.pass_k, rates.pass_all_k)
                    rows.append((one.agent, one.feedback, kind, value, *numbers))
    return Table("Passed tests by skill, editor and difficulty", _GROUPS, tuple(rows), grouped=True)


def _ends(interval: Interval | None) -> tuple[Cell, Cell]:
    return (interval.low, interval.high) if interval else (None, None)
