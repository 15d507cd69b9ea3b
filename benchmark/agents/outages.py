"""Ends of an agent's program that are an outage and no result: no program, a refused key, an overloaded provider."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

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
    rows = data.get("outage", [])
    if not isinstance(rows, list):
        raise UsageError(f"{path}: outage: {rows!r} is not a list of tables", fix="write [[outage]]")
    return tuple(_outage(row, f"{path}: outage[{number}]") for number, row in enumerate(rows))


def _outage(row: Any, where: str) -> Outage:
    if not isinstance(row, dict) or (unknown := sorted(row.keys() - _KEYS)):
        bad = ", ".join(unknown) if isinstance(row, dict) else repr(row)
        raise UsageError(f"{where}: {bad}: not known", fix=f"allowed are {', '.join(sorted(_KEYS))}")
    reason, codes = row.get("reason"), row.get("exit_codes")
    patterns, within = row.get("patterns", []), row.get("within_sec", 0)
    if not isinstance(reason, str) or not reason:
        raise UsageError(f"{where}.reason: a text is needed, not {reason!r}")
    if not isinstance(codes, list) or not codes or not all(type(code) is int and 1 <= code <= 255 for code in codes):
        raise UsageError(f"{where}.exit_codes: {codes!r} is not a list of numbers from 1 to 255")
    if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
        raise UsageError(f"{where}.patterns: {patterns!r} is not a list of texts")
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise UsageError(f"{where}.patterns: {pattern!r} is no regular expression: {error}") from error
    if type(within) not in (int, float) or not 0 <= within <= 86_400:
        raise UsageError(f"{where}.within_sec: {within!r} is not a number of seconds up to 86400")
    return Outage(reason, tuple(codes), tuple(patterns), float(within))


def outage_of(outages: tuple[Outage, ...], exit_code: int | None, seconds: float, log: Path) -> Outage | None:
    """The first row that fits how a program ended, or None."""
    if not exit_code:
        return None
    with log.open("rb") as handle:
        handle.seek(max(0, log.stat().st_size - _TAIL_BYTES))
        tail = handle.read().decode("utf-8", "replace")
    return next((one for one in outages if one.fits(exit_code, seconds, tail)), None)
