"""Tables about the judges of a run: do they repeat themselves, do they agree, where do they not?"""

import statistics
from collections.abc import Iterable, Sequence

from benchmark.results.agreement import Agreement, judge_pairs
from benchmark.results.averages import counted
from benchmark.results.tables import ALL_FAMILIES, Cell, Column, Table
from benchmark.trials import OpinionRecord, TrialRecord

JUDGE_TABLES = ("stability", "item-spread", "agreement", "disagreements")
LISTED = 100  # disagreements and unsteady items that are shown at most

_STABILITY = (
    Column("agent", "Agent"),
    Column("judge", "Judge"),
    Column("family", "Family"),
    Column("repeats", "Repeats", "count"),
    Column("tasks", "Tasks", "count"),
)
_SPREAD = (
    Column("trial", "Trial"),
    Column("item", "Item"),
    Column("judge", "Judge"),
    Column("repeats", "Repeats", "count"),
    Column("mean", "Mean", "number"),
    Column("sd", "sd", "number"),
    Column("lowest", "Lowest", "number"),
    Column("highest", "Highest", "number"),
)
AGREEMENT_COLUMNS = (
    Column("items", "Items", "count"),
    Column("mean_difference", "Mean difference", "number"),
    Column("mean_absolute", "Mean gap", "number"),
    Column("rmse", "RMSE", "number"),
    Column("correlation", "Correlation", "number"),
    Column("close", "Within 0.25", "percent"),
    Column("same", "Same side of 0.5", "percent"),
)
_DISAGREEMENTS = (
    Column("trial", "Trial"),
    Column("item", "Item"),
    Column("one", "Judge"),
    Column("one_score", "Score", "number"),
    Column("other", "Other judge"),
    Column("other_score", "Score", "number"),
    Column("gap", "Gap", "number"),
)


def judge_tables(records: Sequence[TrialRecord]) -> dict[str, Table]:
    """Those that say something about this run, by the name of their files. None where every trial was judged once."""
    makers = (stability_table, spread_table, agreement_table, disagreement_table)
    tables = {name: make(records) for name, make in zip(JUDGE_TABLES, makers, strict=True)}
    return {name: table for name, table in tables.items() if table.rows}


def stability_table(records: Sequence[TrialRecord]) -> Table:
    """Mean ± standard deviation over repeats of what an agent gets in a family. Nothing but the judge varies."""
    rows: list[tuple[Cell, ...]] = []
    taken = [record for record in counted(list(records)) if record.opinions]
    parts = ("overall", *dict.fromkeys(part for record in taken for part in record.categories))
    for agent, judge in sorted({(record.agent, one.judge) for record in taken for one in record.opinions}):
        mine = [record for record in taken if record.agent == agent]
        for family in (*sorted({record.family for record in mine}), ALL_FAMILIES):
            within = [record for record in mine if family in (record.family, ALL_FAMILIES)]
            row = _stability_row(within, judge, parts)
            if row is not None:
                rows.append((agent, judge, family, *row))
    measured = (
        column
        for part in parts
        for column in (Column(part, part.capitalize(), "percent"), Column(f"{part}_sd", "± sd", "percent"))
    )
    return Table("Judge stability", (*_STABILITY, *measured), tuple(rows), grouped=True)


def _stability_row(records: Sequence[TrialRecord], judge: str, parts: Sequence[str]) -> tuple[Cell, ...] | None:
    """Over the repeats that every one of the trials has: each gives one mean over tasks."""
    opinions = {record.id: _by_repeat(record, judge) for record in records}
    heard = [record for record in records if opinions[record.id]]
    common = set.intersection(*(set(opinions[record.id]) for record in heard)) if heard else set()
    if len(common) < 2:
        return None

    means: dict[str, list[float]] = {}
    for repeat in sorted(common):
        tasks: dict[str, dict[str, list[float]]] = {}
        for record in heard:
            opinion = opinions[record.id][repeat]
            for name, value in {"overall": opinion.score, **opinion.categories}.items():
                tasks.setdefault(name, {}).setdefault(record.task, []).append(value)
        for name, by_task in tasks.items():
            means.setdefault(name, []).append(statistics.fmean(map(statistics.fmean, by_task.values())))
    cells: list[Cell] = [len(common), len({record.task for record in heard})]
    for name in parts:
        values = means.get(name)
        cells += [statistics.fmean(values), statistics.stdev(values)] if values else [None, None]
    return tuple(cells)


def _by_repeat(record: TrialRecord, judge: str) -> dict[int, OpinionRecord]:
    return {opinion.repeat: opinion for opinion in record.opinions if opinion.judge == judge}


def spread_table(records: Iterable[TrialRecord]) -> Table:
    """The items on which a judge contradicts itself most."""
    rows: list[tuple[Cell, ...]] = []
    for record in records:
        for judge in dict.fromkeys(opinion.judge for opinion in record.opinions):
            said = list(_by_repeat(record, judge).values())
            for item in record.items if len(said) > 1 else ():
                scores = [opinion.items[item] for opinion in said if item in opinion.items]
                if len(scores) > 1:
                    spread = statistics.stdev(scores)
                    mean, lowest, highest = statistics.fmean(scores), min(scores), max(scores)
                    rows.append((record.id.label, item, judge, len(scores), mean, spread, lowest, highest))
    rows.sort(key=lambda row: (-float(row[5] or 0.0), str(row[0]), str(row[1])))
    return Table("Items by spread over repeats", _SPREAD, tuple(rows))


def agreement_table(records: Sequence[TrialRecord]) -> Table:
    """Each pair of judges that were heard on the same trials."""
    columns = (Column("one", "Judge"), Column("other", "Other judge"), *AGREEMENT_COLUMNS)
    rows = tuple((one, other, *agreement_cells(found)) for one, other, found, _ in judge_pairs(records))
    return Table("Agreement of judges", columns, rows)


def agreement_cells(found: Agreement) -> tuple[Cell, ...]:
    """Below AGREEMENT_COLUMNS."""
    return (
        found.items, found.mean_difference, found.mean_absolute, found.rmse, found.correlation, found.close, found.same,
    )  # fmt: skip


def disagreement_table(records: Sequence[TrialRecord]) -> Table:
    """Items on which two judges are at least 0.5 apart, furthest first: for somebody to look at."""
    rows: list[tuple[Cell, ...]] = [
        (gap.trial.label, gap.item, one, gap.one, other, gap.other, abs(gap.difference))
        for one, other, _, far in judge_pairs(records)
        for gap in far
    ]
    rows.sort(key=lambda row: (-float(row[6] or 0.0), str(row[0]), str(row[1])))
    return Table("Disagreements", _DISAGREEMENTS, tuple(rows))


def judge_lines(records: Sequence[TrialRecord]) -> list[str]:
    """For the terminal: one line per agent and judge, one per pair of judges."""
    lines = []
    for agent, judge, family, repeats, _, overall, spread, *_ in stability_table(records).rows:
        if family == ALL_FAMILIES:
            lines.append(f"{agent}: {judge} says {overall:.3f} ± {spread:.3f} over {repeats} repeats")
    for one, other, found, far in judge_pairs(records):
        if found.mean_absolute is None:
            continue
        related = f", correlation {found.correlation:.2f}" if found.correlation is not None else ""
        lines.append(
            f"{one} and {other}: {found.mean_absolute:.2f} apart on average over {found.items} items{related}; "
            f"{len(far)} item(s) differ by 0.5 or more"
        )
    return lines
