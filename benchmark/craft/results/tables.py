"""Tables of games built: by agent, and by family."""

from collections.abc import Sequence

from benchmark.craft.families import FAMILIES
from benchmark.craft.results.summary import LETTERS, AgentSummary, Averages, summarize
from benchmark.results.metrics import ends, interval_of
from benchmark.results.tables import ALL_FAMILIES, COUNTS_AND_COST, WHO_AND_OVERALL, Cell, Column, Table
from benchmark.trials import TrialRecord

_METRICS = (
    Column("build", "Build", "percent"),
    *(Column(letter, letter, "percent") for letter in LETTERS),
)
_LEADERBOARD = (
    *WHO_AND_OVERALL,
    *_METRICS,
    Column("launch_rate", "Launches", "percent"),
    Column("valid_trace_rate", "Valid traces", "percent"),
    Column("demos_per_trial", "Demos per trial", "number"),
    Column("demo_seconds", "Seconds per demo", "number"),
    *COUNTS_AND_COST,
)
_FAMILIES = (
    Column("agent", "Agent"),
    Column("family", "Family"),
    Column("tasks", "Tasks", "count"),
    Column("overall", "Overall", "percent"),
    *_METRICS,
)


def leaderboard(records: Sequence[TrialRecord]) -> Table:
    """One row per agent, best first."""
    rows = []
    for one in summarize(records):
        interval = interval_of(records, one.agent)
        row: tuple[Cell, ...] = (
            one.agent, one.judge, one.proxy,
            one.averages.overall, *ends(interval),
            *_metric_cells(one.averages),
            one.launch_rate, one.valid_trace_rate, one.demos_per_trial, one.demo_seconds,
            one.averages.tasks, one.trials, one.void, one.coverage, one.cost_usd, one.seconds,
        )  # fmt: skip
        rows.append(row)
    return Table("Leaderboard", _LEADERBOARD, tuple(rows))


def family_table(records: Sequence[TrialRecord]) -> Table:
    """Per agent one row per family and one over all of them, as the paper's family table."""
    rows: list[tuple[Cell, ...]] = []
    for one in summarize(records):
        for family, found in (*families_in_order(one), (ALL_FAMILIES, one.averages)):
            rows.append((one.agent, family, found.tasks, found.overall, *_metric_cells(found)))
    return Table("Results by family", _FAMILIES, tuple(rows), grouped=True)


def families_in_order(summary: AgentSummary) -> list[tuple[str, Averages]]:
    """Largest family of the benchmark first, what is not counted last."""
    order = {family: place for place, family in enumerate(FAMILIES)}
    return sorted(summary.families.items(), key=lambda item: (order.get(item[0], len(order)), item[0]))


def _metric_cells(averages: Averages) -> tuple[Cell, ...]:
    return (averages.build, *(averages.categories.get(letter) for letter in LETTERS))
