"""The file of a run's records: one line each, only ever appended to. What was acknowledged stays, whoever is killed."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark import jsonl
from benchmark.errors import UsageError
from benchmark.trials import TrialRecord

TORN_FILE = "torn.txt"


@dataclass(frozen=True)
class RecordLine:
    """One line that is not empty, and the record in it or what is wrong with it."""

    line: jsonl.Line
    record: TrialRecord | None
    problem: str = ""

    @property
    def number(self) -> int:
        return self.line.number

    @property
    def is_written_by_hand(self) -> bool:
        """An object, though no record: neither a crash nor a full disk leaves that."""
        return self.record is None and self.line.object() is not None


@dataclass(frozen=True)
class Contents:
    """The records of a file, oldest first; where the last one ends, and what a crash left after it."""

    records: tuple[TrialRecord, ...] = ()
    end: int = 0
    torn: bytes = b""
    ended: bool = True  # whether the last record has its line end


def lines(path: Path) -> Iterator[RecordLine]:
    """All of them, good or bad. Raises OSError, also for what is no plain file, and ValueError for an endless line."""
    for line in jsonl.read_lines(path):
        try:
            yield RecordLine(line, TrialRecord.from_line(line.content.decode("utf-8")))
        except ValueError as error:
            yield RecordLine(line, None, str(error))


def read(path: Path) -> Contents:
    """What a crash tore at the end is left out; anything else that is no record is an error with its line."""
    records: list[TrialRecord] = []
    last: RecordLine | None = None
    torn: list[RecordLine] = []
    try:
        for line in lines(path):
            if line.record is None:
                torn.append(line)
            else:
                records.append(line.record)
                last = line
            if torn and (line.record is not None or line.is_written_by_hand):
                raise _refusal(path, line if line.record is None else torn[0])
    except FileNotFoundError:
        return Contents()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: {error}", fix="name the folder of a run") from error
    end = last.line.start + len(last.line.content) if last else 0
    left = b"".join(one.line.content for one in torn)
    return Contents(tuple(records), end, left, last is None or last.line.ended)


def _refusal(path: Path, line: RecordLine) -> UsageError:
    return UsageError(
        f"{path}:{line.number}: not a trial record: {line.problem}",
        fix="correct the line, or take it out: then an earlier record of its trial counts, or the trial runs again",
    )


def mend(path: Path) -> list[str]:
    """Set aside what a crash or a full disk left after the last record, and say so. Raises OSError."""
    found = read(path)
    if found.torn:
        jsonl.append(path.with_name(TORN_FILE), found.torn.removesuffix(b"\n") + b"\n")
        with path.open("r+b") as handle:
            handle.truncate(found.end)
            os.fsync(handle.fileno())
    if not found.ended:
        jsonl.append(path, b"\n")
    if not found.torn:
        return []
    return [
        f"{path}: the last line was torn ({len(found.torn)} bytes); it was moved to {TORN_FILE}, its trial will run "
        "again"
    ]


def append(path: Path, record: TrialRecord) -> None:
    """Add one line: it is on the disk when this returns, and not a byte of it is there if this raises OSError."""
    if not _is_whole(path):  # a write failed, and what it left could not be taken back
        mend(path)
    jsonl.append(path, (record.to_line() + "\n").encode())


def _is_whole(path: Path) -> bool:
    try:
        with jsonl.open_plain(path) as handle:
            size = os.fstat(handle.fileno()).st_size
            return not size or os.pread(handle.fileno(), 1, size - 1) == b"\n"
    except FileNotFoundError:
        return True
