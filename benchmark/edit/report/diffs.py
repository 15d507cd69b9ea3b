"""A unified diff taken apart for reading: files, and in them lines that came, went or stayed."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["added", "removed", "same", "place"]
_SIGNS: dict[str, Kind] = {"+": "added", "-": "removed", " ": "same", "": "same"}
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@.*", re.DOTALL)
_WHOLE = re.compile(r"# (.+): (added|removed|changed)", re.DOTALL)  # a file that is no text
_NOWHERE = "/dev/null"


@dataclass(frozen=True)
class FileChange:
    """One file of a diff. Lines keep their sign."""

    name: str
    what: str  # added, removed, changed; empty for a remark
    lines: tuple[tuple[Kind, str], ...]

    @property
    def added(self) -> int:
        return sum(kind == "added" for kind, _ in self.lines)

    @property
    def removed(self) -> int:
        return sum(kind == "removed" for kind, _ in self.lines)


def read_diff(lines: Iterable[str]) -> tuple[FileChange, ...]:
    """Of `changes.diff`. Hunks are as long as they say: a removed line `-- a` is not the head of another file."""
    files: list[tuple[str, str, list[tuple[Kind, str]]]] = []
    rest = iter(lines)
    for line in rest:
        if line.startswith("--- "):
            files.append((*_named(line[4:], next(rest, "")[4:]), []))
        elif (match := _HUNK.fullmatch(line)) and files:
            files[-1][2].append(("place", line))
            files[-1][2].extend(_hunk(rest, int(match[1] or 1), int(match[2] or 1)))
        elif match := _WHOLE.fullmatch(line):
            files.append((match[1], match[2], []))
        elif line:
            files.append((line.removeprefix("# "), "", []))
    return tuple(FileChange(name, what, tuple(found)) for name, what, found in files)


def _named(old: str, new: str) -> tuple[str, str]:
    """`start/x` and `submission/x` are one file."""
    if new == _NOWHERE:
        return old.partition("/")[2], "removed"
    return new.partition("/")[2], "added" if old == _NOWHERE else "changed"


def _hunk(lines: Iterator[str], old: int, new: int) -> Iterator[tuple[Kind, str]]:
    while (old > 0 or new > 0) and (line := next(lines, None)) is not None:
        kind = _SIGNS.get(line[:1], "place")  # without a sign: it was cut off here
        old -= kind != "added"
        new -= kind != "removed"
        yield kind, line
