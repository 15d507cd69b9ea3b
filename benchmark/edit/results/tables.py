"""Tables of the trials that pass or fail: by agent, and by what tasks have in common."""

from collections.abc import Sequence

from benchmark.edit.results.passrates import PassStanding
from benchmark.results.metrics import ends
from benchmark.results.tables import Cell, Column, Table

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
    Column("coverage", "Coverage", "percent"),
    Column("cost_usd", "Cost (USD)", "number"),
    Column("cost_per_trial", "Cost per trial (USD)", "number"),
    Column("seconds", "Time (s)", "number"),
)
_GROUPS = (
    Column("agent", "Agent"),
    Column("feedback", "Feedback"),
    Column("group", "By"),
    Column("value", "Which"),
    Column("tasks", "Tasks", "count"),
    Column("pass_1", "pass@1", "percent"),
    Column("pass_1_low", "95 % from", "percent"),
    Column("pass_1_high", "95 % to", "percent"),
    Column("k", "k", "count"),
    Column("pass_k", "pass@k", "percent"),
    Column("pass_all_k", "pass^k", "percent"),
)


def pass_table(standings: Sequence[PassStanding]) -> Table:
    """One row per agent and feedback."""
    rows: list[tuple[Cell, ...]] = []
    for one in (standing.summary for standing in standings):
        rates = one.rates
        rows.append(
            (
                one.agent, one.feedback, rates.pass_1, *ends(rates.interval_1), rates.k, rates.pass_k,
                *ends(rates.interval_k), rates.pass_all_k, *ends(rates.interval_all_k), rates.tasks, one.trials,
                one.void, one.coverage, one.cost_usd, one.cost_per_trial, one.seconds,
            )
        )  # fmt: skip
    return Table("Passed tests", _PASSES, tuple(rows))


def pass_groups(standings: Sequence[PassStanding]) -> Table:
    """By skill, by editor, by difficulty."""
    rows: list[tuple[Cell, ...]] = []
    for standing in standings:
        for group in standing.groups:
            rates = group.rates
            rows.append(
                (
                    standing.summary.agent, standing.summary.feedback, group.kind, group.value, rates.tasks,
                    rates.pass_1, *ends(rates.interval_1), rates.k, rates.pass_k, rates.pass_all_k,
                )
            )  # fmt: skip
    return Table("Passed tests by skill, editor and difficulty", _GROUPS, tuple(rows), grouped=True)
