"""Which categories rise and fall together, per agent: over the tasks whose game was built.

A game that was not built has 0 in all four: with it, everything would seem to go together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmark.craft.record import facts_of
from benchmark.craft.results.summary import LETTERS, summarize
from benchmark.results.averages import by_agent, counted
from benchmark.results.tables import Cell, Column, Table
from benchmark.trials import TrialRecord

_COLUMNS = (
    Column("agent", "Agent"),
    Column("category", "Category"),
    *(Column(letter, letter, "number") for letter in LETTERS),
    Column("tasks", "Tasks", "count"),
)


@dataclass(frozen=True)
class CategoryCorrelations:
    """Of one agent: a row for each category, a cell for each; None where nothing can be said."""

    agent: str
    tasks: int
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]


def correlations(records: Sequence[TrialRecord]) -> tuple[CategoryCorrelations, ...]:
    """Best agent first; those of whom something can be said."""
    agents = by_agent(counted(records))
    found = [_of_agent(one.agent, agents.get(one.agent, [])) for one in summarize(records)]
    return tuple(one for one in found if any(cell is not None for _, cells in one.rows for cell in cells))


def _of_agent(agent: str, records: Sequence[TrialRecord]) -> CategoryCorrelations:
    from benchmark.results.statistics import pearson  # brings NumPy

    tasks: dict[str, list[TrialRecord]] = {}
    for record in records:
        if record.scored and facts_of(record).build:
            tasks.setdefault(record.task, []).append(record)
    values = {
        letter: [fmean(one.categories.get(letter, 0.0) for one in own) for own in tasks.values()] for letter in LETTERS
    }
    rows = tuple(
        (letter, tuple(pearson(list(zip(values[letter], values[other], strict=True))) for other in LETTERS))
        for letter in LETTERS
    )
    return CategoryCorrelations(agent, len(tasks), rows)


def correlation_tables(records: Sequence[TrialRecord]) -> dict[str, Table]:
    """By file name; none where there are too few tasks."""
    rows: list[tuple[Cell, ...]] = [
        (one.agent, letter, *cells, one.tasks) for one in correlations(records) for letter, cells in one.rows
    ]
    if not rows:
        return {}
    title = "Correlation of the categories over tasks (Pearson)"
    return {"category-correlations": Table(title, _COLUMNS, tuple(rows), grouped=True)}
