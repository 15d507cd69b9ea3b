"""The front page's part about trials that pass or fail: leaderboard, groups, cost against success."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.edit.report.cost_plot import CostPlot, lay_out_costs
from benchmark.edit.results.passrates import GROUPS, PassRates, PassStanding, group_of, group_values
from benchmark.trials import TrialRecord


@dataclass(frozen=True)
class GroupTable:
    """pass@1 of every agent by skill, by editor or by difficulty."""

    kind: str
    columns: tuple[tuple[str, int], ...]  # each with its number of tasks in the run
    rows: tuple[tuple[PassStanding, tuple[PassRates | None, ...]], ...]


@dataclass(frozen=True)
class PassBoard:
    """What the front page says about them."""

    standings: tuple[PassStanding, ...]
    k: int | None  # attempts of every task, if all agents have as many; None where they differ
    repeated: bool  # whether anybody has more than one attempt at every task
    groups: tuple[GroupTable, ...]
    plot: CostPlot
    feedbacks: tuple[str, ...]
    passed: int
    scored: int


def pass_board(records: Sequence[TrialRecord], standings: Sequence[PassStanding]) -> PassBoard:
    """Of at least one trial."""
    ks = {one.summary.rates.k for one in standings if one.summary.rates.tasks}
    scored = [record for record in records if record.scored]
    return PassBoard(
        standings=tuple(standings), k=ks.pop() if len(ks) == 1 else None,
        repeated=any(one.summary.rates.k > 1 for one in standings),
        groups=tuple(table for kind in GROUPS if (table := _group_table(kind, records, standings)).columns),
        plot=lay_out_costs([one.summary for one in standings]),
        feedbacks=tuple(dict.fromkeys(one.summary.feedback for one in standings)),
        passed=sum((record.score or 0.0) >= 1 for record in scored), scored=len(scored),
    )  # fmt: skip


def _group_table(kind: str, records: Sequence[TrialRecord], standings: Sequence[PassStanding]) -> GroupTable:
    columns = []
    for value in group_values(records, kind):
        columns.append((value, len({record.task for record in records if group_of(record, kind) == value})))
    rows = []
    for standing in standings:
        found = {group.value: group.rates for group in standing.groups if group.kind == kind}
        rows.append((standing, tuple(found.get(value) for value, _ in columns)))
    return GroupTable(kind, tuple(columns), tuple(rows))
