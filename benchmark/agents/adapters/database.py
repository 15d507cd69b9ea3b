"""A question to an SQLite file that an agent could write to: answered from a copy, within limits, or not at all."""

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmark.untrusted import UnreadableFileError, open_regular

_MAX_BYTES = 1 << 30
_MAX_INSTRUCTIONS = 50_000_000  # of SQLite's machine: a file may hold a view that never comes to an end
_MAX_VALUE_BYTES = 1 << 20
_MAX_ROWS = 10_000


def answers(path: Path, question: str) -> list[dict[str, Any]]:
    """Rows by the names of their columns; none if anything is wrong with the file."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        try:
            # What was written last stands in the log beside it, if the program was killed.
            for suffix in ("", "-wal"):
                if suffix and not path.with_name(path.name + suffix).exists():
                    continue
                with open_regular(path.with_name(path.name + suffix)) as source:
                    if source.seek(0, 2) > _MAX_BYTES:
                        return []
                    source.seek(0)
                    with copy.with_name(copy.name + suffix).open("wb") as target:
                        shutil.copyfileobj(source, target)
            return _asked(copy, question)
        except (UnreadableFileError, OSError, sqlite3.Error, OverflowError, ValueError):
            return []


def _asked(copy: Path, question: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(copy)) as database:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
        database.set_progress_handler(lambda: 1, _MAX_INSTRUCTIONS)
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        database.execute("PRAGMA trusted_schema = OFF")
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(question).fetchmany(_MAX_ROWS)]
