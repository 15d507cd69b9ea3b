"""Results published elsewhere, to be shown below our own: never ranked among them, in no average.

A file of them is CSV with percent as published: `model` and `overall` are needed, `harness`, `date`, `judge`,
`source`, and columns called by one capital letter (parts of the score, such as `M`) are shown where they are there.
"""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmark.bundled import bundled
from benchmark.errors import UsageError
from benchmark.results.tables import Cell, Column, Table

BOARD = bundled("reports/reference/gamecraft-bench-board.csv")
ALL = "all"
MAX_BYTES = 1 << 20
_COLUMNS = (
    Column("harness", "Harness"),
    Column("model", "Model"),
    Column("judge", "Judge"),
    Column("date", "Date"),
    Column("source", "Source"),
    Column("overall", "Overall", "percent"),
)


@dataclass(frozen=True)
class Reference:
    """One published row. Shares from 0 to 1, as everywhere here."""

    harness: str
    model: str
    date: str
    judge: str
    source: str
    overall: float
    categories: dict[str, float] = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        return f"{self.harness} {self.model}".strip()


def choose_references(wanted: Iterable[str], board: Path = BOARD) -> tuple[Reference, ...]:
    """Of each text the rows it means: `all`, words of one row's name, FILE, or FILE:words. Best first, none twice."""
    found: dict[Reference, None] = {}
    for text in wanted:
        file, words = board, text.strip()
        path, _, rest = words.rpartition(":")
        if words.lower().endswith(".csv"):
            file, words = Path(words), ALL
        elif path.lower().endswith(".csv"):
            file, words = Path(path), rest.strip()
        found |= dict.fromkeys(_rows_of(read_references(file), words, text, file))
    return tuple(sorted(found, key=lambda row: (-row.overall, row.name)))


def _rows_of(rows: Sequence[Reference], words: str, text: str, file: Path) -> Sequence[Reference]:
    if words.lower() == ALL:
        return rows
    exact = [row for row in rows if words.lower() in (row.name.lower(), row.model.lower())]
    matching = exact or [row for row in rows if words and words.lower() in row.name.lower()]
    if len(matching) == 1:
        return matching
    names = "; ".join(row.name for row in matching or rows)
    problem = f"means {len(matching)} rows" if matching else f"is in no row of {file.name}"
    raise UsageError(f"--reference: {text!r} {problem}", fix=f"{ALL}, or words of one of: {names}")


def read_references(path: Path) -> tuple[Reference, ...]:
    """All rows of a file. Raises UsageError with line and column."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"--reference: {path} is larger than 1 MiB")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--reference: {path} cannot be read: {error}") from error
    reader = csv.DictReader(lines)
    missing = [name for name in ("model", "overall") if name not in (reader.fieldnames or ())]
    if missing:
        raise UsageError(f"--reference: {path}:1: no column {' and '.join(missing)}", fix=_FORM)
    return tuple(_reference(row, f"--reference: {path}:{reader.line_num}") for row in reader)


_FORM = (
    f"a CSV file with the columns {','.join(column.name for column in _COLUMNS)}, and one of a capital letter for each "
    "part of the score; numbers in percent"
)


def _reference(row: dict[str, str | None], where: str) -> Reference:
    def text(name: str) -> str:
        return (row.get(name) or "").strip()

    if not text("model"):
        raise UsageError(f"{where}: model: is empty", fix=_FORM)
    return Reference(
        harness=text("harness"), model=text("model"), date=text("date"), judge=text("judge"), source=text("source"),
        overall=_share(text("overall"), f"{where}: overall"),
        categories={name: _share(text(name), f"{where}: {name}") for name in row if _is_part(name) and text(name)},
    )  # fmt: skip


def _is_part(name: object) -> bool:
    return isinstance(name, str) and len(name) == 1 and name.isascii() and name.isupper()


def _share(text: str, where: str) -> float:
    try:
        percent = float(text)
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:  # NaN fails too
        raise UsageError(f"{where}: {text!r} is not a number from 0 to 100", fix=_FORM)
    return percent / 100


def reference_tables(references: Sequence[Reference]) -> dict[str, Table]:
    """A table of its own by its file's name, or none."""
    parts = dict.fromkeys(part for one in references for part in one.categories)
    rows: list[tuple[Cell, ...]] = [
        (one.harness, one.model, one.judge, one.date, one.source, one.overall, *map(one.categories.get, parts))
        for one in references
    ]
    columns = (*_COLUMNS, *(Column(part, part, "percent") for part in parts))
    return {"reference": Table("Published elsewhere", columns, tuple(rows))} if rows else {}


def reference_document(references: Sequence[Reference]) -> dict[str, Any]:
    """For summary.json; `--baseline` passes it over."""
    return {"reference": [asdict(one) for one in references]} if references else {}
