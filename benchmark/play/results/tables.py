"""Tables of the track: who came how far, by genre and level, and how many proposals were none."""

from collections.abc import Sequence

from benchmark.play.results.success import PlayStanding, Rates
from benchmark.results.metrics import ends
from benchmark.results.tables import Cell, Column, Table

_WHO = (Column("agent", "Agent"), Column("interface", "Interface"), Column("clock", "Clock"))
_RATES = (
    Column("success", "SR", "percent"),
    Column("progress", "PG", "percent"),
    Column("first_try", "SR, first try", "percent"),
    Column("efficiency", "Efficiency", "percent"),
)
_STANDINGS = (
    *_WHO,
    *_RATES[:1],
    Column("success_low", "95 % from", "percent"),
    Column("success_high", "95 % to", "percent"),
    *_RATES[1:2],
    Column("progress_low", "95 % from", "percent"),
    Column("progress_high", "95 % to", "percent"),
    *_RATES[2:],
    Column("tasks", "Tasks", "count"),
    Column("trials", "Trials", "count"),
    Column("void", "Void", "count"),
    Column("coverage", "Coverage", "percent"),
    Column("cost_usd", "Cost (USD)", "number"),
    Column("seconds", "Time (s)", "number"),
)
_GROUPS = (*_WHO, Column("group", "By"), Column("value", "Which"), Column("tasks", "Tasks", "count"), *_RATES)
_INVALID = (
    *_WHO,
    Column("proposals", "Proposals", "count"),
    Column("no_call", "No call", "count"),
    Column("out_of_space", "Out of space", "count"),
    Column("invalid", "Invalid", "percent"),
)


def standings_table(standings: Sequence[PlayStanding]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in standings:
        rates = one.rates
        rows.append(
            (
                *_who(one), rates.success, *ends(rates.success_interval), rates.progress,
                *ends(rates.progress_interval), rates.first_try, rates.efficiency, rates.tasks, one.trials, one.void,
                one.coverage, one.cost_usd, one.seconds,
            )
        )  # fmt: skip
    return Table("Success and progress", _STANDINGS, tuple(rows))


def groups_table(standings: Sequence[PlayStanding]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (*_who(one), kind, value, rates.tasks, *_measured(rates))
        for one in standings
        for kind, value, rates in one.groups
    ]
    return Table("Success and progress by genre and level", _GROUPS, tuple(rows), grouped=True)


def invalid_table(standings: Sequence[PlayStanding]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (*_who(one), one.rates.proposals, one.rates.no_call, one.rates.out_of_space, one.rates.invalid)
        for one in standings
    ]
    return Table("Proposals that were no action", _INVALID, tuple(rows))


def _who(one: PlayStanding) -> tuple[Cell, ...]:
    return (one.agent, one.interface, one.clock)


def _measured(rates: Rates) -> tuple[Cell, ...]:
    return (rates.success, rates.progress, rates.first_try, rates.efficiency)
