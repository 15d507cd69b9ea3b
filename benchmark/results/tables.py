"""Plain tables from the records of a run, and how each is written as CSV, Markdown, LaTeX and JSON.

People read percent with two decimals, as the paper prints them; programs get the raw numbers.
"""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from benchmark.results.agreement import PASS
from benchmark.results.gates import scores_by_task
from benchmark.results.statistics import Interval, mean_interval
from benchmark.results.summary import LETTERS, AgentSummary, Averages, summarize
from benchmark.tasks import FAMILIES
from benchmark.trials import TrialRecord

Kind = Literal["text", "percent", "number", "count"]
Cell = str | int | float | bool | None
ALL_FAMILIES = "all"
NOTHING = "–"  # what people see where there is no number


@dataclass(frozen=True)
class Column:
    """`name` is for programs and stays the same; `title` is for people."""

    name: str
    title: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Table:
    """Rows of cells, one per column. `grouped`: rows with the same first cell belong together."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    grouped: bool = False


_METRICS = (
    Column("build", "Build", "percent"),
    *(Column(letter, letter, "percent") for letter in LETTERS),
)
_LEADERBOARD = (
    Column("agent", "Agent"),
    Column("judge", "Judge"),
    Column("proxy", "Proxy"),
    Column("overall", "Overall", "percent"),
    Column("overall_low", "95 % from", "percent"),
    Column("overall_high", "95 % to", "percent"),
    *_METRICS,
    Column("launch_rate", "Launches", "percent"),
    Column("valid_trace_rate", "Valid traces", "percent"),
    Column("demos_per_trial", "Demos per trial", "number"),
    Column("demo_seconds", "Seconds per demo", "number"),
    Column("tasks", "Tasks", "count"),
    Column("trials", "Trials", "count"),
    Column("void", "Void", "count"),
    Column("coverage", "Coverage", "percent"),
    Column("cost_usd", "Cost (USD)", "number"),
    Column("seconds", "Time (s)", "number"),
)
_FAMILIES = (
    Column("agent", "Agent"),
    Column("family", "Family"),
    Column("tasks", "Tasks", "count"),
    Column("overall", "Overall", "percent"),
    *_METRICS,
)
_TRIALS = (
    Column("track", "Track"),
    Column("task", "Task"),
    Column("family", "Family"),
    Column("difficulty", "Difficulty"),
    Column("editor", "Editor"),
    Column("agent", "Agent"),
    Column("feedback", "Feedback"),
    Column("attempt", "Attempt", "count"),
    Column("outcome", "Outcome"),
    Column("reason", "Reason"),
    Column("judge", "Judge"),
    Column("proxy", "Proxy"),
    Column("score", "Score", "percent"),
    Column("build", "Build", "count"),
    Column("launches", "Launches"),
    Column("has_trace", "Has a trace"),
    *(Column(letter, letter, "percent") for letter in LETTERS),
    Column("items_held", "Items held", "count"),
    Column("items", "Items", "count"),
    Column("demos", "Demos", "count"),
    Column("demo_seconds", "Demo seconds", "number"),
    Column("bad_traces", "Bad traces", "count"),
    Column("agent_ended", "Agent ended"),
    Column("cost_usd", "Cost (USD)", "number"),
    Column("seconds", "Time (s)", "number"),
    Column("finished", "Finished"),
)


def overall_interval(records: Sequence[TrialRecord], agent: str) -> Interval | None:
    """Of an agent's mean score over tasks. One task says nothing about how others would have gone."""
    mine = [record for record in records if record.agent == agent and not record.passes_or_fails]
    tasks = scores_by_task(mine)
    return mean_interval(tasks) if len(tasks) > 1 else None


def leaderboard(records: Sequence[TrialRecord]) -> Table:
    """One row per agent, best first."""
    rows = []
    for one in summarize(records):
        interval = overall_interval(records, one.agent)
        row: tuple[Cell, ...] = (
            one.agent, one.judge, one.proxy,
            one.averages.overall, interval.low if interval else None, interval.high if interval else None,
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


def trial_table(records: Iterable[TrialRecord]) -> Table:
    """One row per trial, by task and agent."""
    rows: list[tuple[Cell, ...]] = []
    for one in sorted(records, key=lambda record: record.id):
        row: tuple[Cell, ...] = (
            one.track, one.task, one.family, one.difficulty, one.labels.get("editor"), one.agent,
            one.labels.get("feedback"), one.attempt, one.outcome, one.reason, one.judge, one.proxy,
            one.score, one.build, one.launches, one.has_trace, *(one.categories.get(letter) for letter in LETTERS),
            sum(score >= PASS for score in one.items.values()) if one.scored else None,
            len(one.items) if one.scored else None,
            len(one.demos), sum(demo.seconds for demo in one.demos), one.bad_traces, one.agent_ended,
            one.cost_usd, one.total_sec, one.finished,
        )  # fmt: skip
        rows.append(row)
    return Table("Trials", _TRIALS, tuple(rows))


def _metric_cells(averages: Averages) -> tuple[Cell, ...]:
    return (averages.build, *(averages.categories.get(letter) for letter in LETTERS))


def shown(cell: Cell, kind: Kind) -> str:
    """A cell as people read it."""
    if cell is None:
        return NOTHING
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return visible(cell)
    if kind == "percent":
        return f"{cell * 100:.2f}"
    return str(cell) if kind == "count" else f"{cell:.2f}"


# Joiners and marks that scripts other than Latin need. The other invisible characters hide or reorder what is read.
_HARMLESS = frozenset("\n\t\u00ad\u200c\u200d\u200e\u200f\u061c")


def visible(text: str) -> str:
    """Text of unknown origin with nothing hidden in it: control and direction characters are spelled out."""
    if text.isprintable():
        return text
    return "".join(
        f"[U+{ord(char):04X}]"
        if char not in _HARMLESS and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        else char
        for char in text
    )


def to_csv(table: Table) -> str:
    """RFC 4180 with raw numbers; no cell is a formula to a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in table.rows:
        writer.writerow([_csv_cell(cell) for cell in row])
    return out.getvalue()


_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_FORMULA = tuple("=+-@＝＋－＠")


def _csv_cell(cell: Cell) -> Cell:
    if isinstance(cell, bool):
        return str(cell).lower()
    if not isinstance(cell, str):
        return cell
    text = visible(cell)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) and not _NUMBER.fullmatch(text) else text


def to_markdown(table: Table) -> str:
    """A GitHub table below its title."""
    lines = [f"## {_markdown(table.title)}", ""]
    lines.append("| " + " | ".join(_markdown(column.title) for column in table.columns) + " |")
    lines.append("|" + "|".join("---" if column.kind == "text" else "--:" for column in table.columns) + "|")
    for row in table.rows:
        cells = [_markdown(shown(cell, column.kind)) for cell, column in zip(row, table.columns, strict=True)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|~&$])", r"\\\1", " ".join(text.split()))


def to_latex(table: Table) -> str:
    """A `table` for the booktabs package."""
    columns = "".join("l" if column.kind == "text" else "r" for column in table.columns)
    lines = [
        "% needs \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{_latex(table.title)}}}",
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
        " & ".join(_latex(column.title) for column in table.columns) + " \\\\",
        "\\midrule",
    ]
    before: Cell = None
    for index, row in enumerate(table.rows):
        if table.grouped and index and row[0] != before:
            lines.append("\\midrule")
        before = row[0]
        cells = [_latex(shown(cell, column.kind)) for cell, column in zip(row, table.columns, strict=True)]
        lines.append(" & ".join(cells) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}"]) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", NOTHING: "--",
}  # fmt: skip


def _latex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in " ".join(text.split()))


def to_json(table: Table) -> str:
    """A list of objects with raw numbers."""
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, map(_json_cell, row), strict=True)) for row in table.rows]
    return json.dumps(rows, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _json_cell(cell: Cell) -> Cell:
    # half of a surrogate pair is legal in JSON and in no file
    return cell.encode("utf-8", "replace").decode("utf-8") if isinstance(cell, str) else cell


# what `--format` takes → how the files of that kind end, and who writes them
RENDERERS: dict[str, tuple[str, Callable[[Table], str]]] = {
    "csv": (".csv", to_csv),
    "json": (".json", to_json),
    "md": (".md", to_markdown),
    "latex": (".tex", to_latex),
}
