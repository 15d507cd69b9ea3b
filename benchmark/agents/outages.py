"""Ends of an agent's program that are an outage and no result: no program, a refused key, an overloaded provider."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmark.checked import Fields
from benchmark.errors import UsageError
from benchmark.tasks import read_toml

_TABLE = Path(__file__).with_name("outages.toml")
_TAIL_BYTES = 1 << 16
_KEYS = {"reason", "exit_codes", "patterns", "within_sec"}


@dataclass(frozen=True)
class Outage:
    """A row: all that it names must be true."""

    reason: str
    exit_codes: tuple[int, ...]
    patterns: tuple[str, ...] = ()
    within_sec: float = 0.0

    def fits(self, exit_code: int, seconds: float, tail: str) -> bool:
        return (
            exit_code in self.exit_codes
            and (not self.within_sec or seconds <= self.within_sec)
            and (not self.patterns or any(re.search(pattern, tail) for pattern in self.patterns))
        )


@cache
def built_in() -> tuple[Outage, ...]:
    """What holds for every command."""
    return read_outages(read_toml(_TABLE), _TABLE)


def read_outages(data: dict[str, Any], path: Path) -> tuple[Outage, ...]:
    """The rows of a profile or of our own table. Raises UsageError."""
    try:
        return tuple(_outage(row, f"outage[{number}]") for number, row in enumerate(Fields(data).objects("outage")))
    except ValueError as error:
        raise UsageError(f"{path}: {error}", fix="docs/agents.md shows an [[outage]]") from error


def _outage(row: Fields, where: str) -> Outage:
    row.refuse_others(_KEYS)
    found = Outage(
        reason=row.words("reason"),
        exit_codes=row.whole_list("exit_codes", 1, 255),
        patterns=row.text_list("patterns"),
        within_sec=row.amount("within_sec", 0.0),
    )
    if not found.exit_codes:
        raise ValueError(f"{where}.exit_codes: at least one is needed, from 1 to 255")
    for pattern in found.patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{where}.patterns: {pattern!r} is no regular expression: {error}") from error
    return found


def outage_of(outages: tuple[Outage, ...], exit_code: int | None, seconds: float, log: Path) -> Outage | None:
    """The first row that fits how a program ended, or None."""
    if not exit_code:
        return None
    with log.open("rb") as handle:
        handle.seek(max(0, log.stat().st_size - _TAIL_BYTES))
        tail = handle.read().decode("utf-8", "replace")
    return next((one for one in outages if one.fits(exit_code, seconds, tail)), None)
