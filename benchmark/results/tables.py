"""Plain tables from the records of a run, and how each is written as CSV, Markdown, LaTeX and JSON.

People read percent with two decimals, as the paper prints them; programs get the raw numbers.
"""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

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


# How every leaderboard of scores begins and ends; between them stands what only its track has.
WHO_AND_OVERALL = (
    Column("agent", "Agent"),
    Column("judge", "Judge"),
    Column("proxy", "Proxy"),
    Column("overall", "Overall", "percent"),
    Column("overall_low", "95 % from", "percent"),
    Column("overall_high", "95 % to", "percent"),
)
COUNTS_AND_COST = (
    Column("tasks", "Tasks", "count"),
    Column("trials", "Trials", "count"),
    Column("void", "Void", "count"),
    Column("coverage", "Coverage", "percent"),
    Column("cost_usd", "Cost (USD)", "number"),
    Column("seconds", "Time (s)", "number"),
)


@dataclass(frozen=True)
class TrialColumn:
    """A column that a track adds to the table of trials, behind the one called `after`."""

    after: str
    column: Column
    value: Callable[[TrialRecord], Cell]


_TRIALS: tuple[tuple[Column, Callable[[TrialRecord], Cell]], ...] = (
    (Column("track", "Track"), lambda one: one.track),
    (Column("task", "Task"), lambda one: one.task),
    (Column("family", "Family"), lambda one: one.family),
    (Column("difficulty", "Difficulty"), lambda one: one.difficulty),
    (Column("agent", "Agent"), lambda one: one.agent),
    (Column("feedback", "Feedback"), lambda one: one.labels.get("feedback")),
    (Column("attempt", "Attempt", "count"), lambda one: one.attempt),
    (Column("outcome", "Outcome"), lambda one: one.outcome),
    (Column("reason", "Reason"), lambda one: one.reason),
    (Column("judge", "Judge"), lambda one: one.judge),
    (Column("proxy", "Proxy"), lambda one: one.proxy),
    (Column("score", "Score", "percent"), lambda one: one.score),
    (Column("items_held", "Items held", "count"), lambda one: one.items_held if one.scored else None),
    (Column("items", "Items", "count"), lambda one: len(one.items) if one.scored else None),
    (Column("agent_ended", "Agent ended"), lambda one: one.agent_ended),
    (Column("cost_usd", "Cost (USD)", "number"), lambda one: one.cost_usd),
    (Column("seconds", "Time (s)", "number"), lambda one: one.total_sec),
    (Column("finished", "Finished"), lambda one: one.finished),
)


def trial_table(records: Iterable[TrialRecord], added: Iterable[TrialColumn] = ()) -> Table:
    """One row per trial, by task and agent; `added` are the columns of the tracks."""
    columns = list(_TRIALS)
    for one in reversed(tuple(added)):
        place = next(index for index, (column, _) in enumerate(columns) if column.name == one.after)
        columns.insert(place + 1, (one.column, one.value))
    rows = tuple(
        tuple(value(record) for _, value in columns) for record in sorted(records, key=lambda record: record.id)
    )
    return Table("Trials", tuple(column for column, _ in columns), rows)


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
    return text if text.isprintable() else _STRANGE.sub(_spelled, text)


_STRANGE = re.compile(r"[^\n\t -~]")  # megabytes of plain text are not looked at letter by letter


def _spelled(match: re.Match[str]) -> str:
    char = match[0]
    hidden = char not in _HARMLESS and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    return f"[U+{ord(char):04X}]" if hidden else char


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
