"""The file of a run's records: one line each, only ever appended to. What was acknowledged stays, whoever is killed.

Only a line end separates records: other separators that Unicode knows may stand inside of one.
"""

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from benchmark.errors import UsageError
from benchmark.trials import TrialRecord

TORN_FILE = "torn.txt"
MAX_LINE_BYTES = 16 << 20
MAX_BYTES = 1 << 30


@dataclass(frozen=True)
class Line:
    """One line that is not empty, and the record in it or what is wrong with it."""

    number: int
    start: int  # in bytes
    content: bytes
    record: TrialRecord | None
    problem: str = ""

    @property
    def is_written_by_hand(self) -> bool:
        """An object, though no record: neither a crash nor a full disk leaves that."""
        try:
            return self.record is None and isinstance(json.loads(self.content), dict)
        except (ValueError, RecursionError):
            return False


@dataclass(frozen=True)
class Contents:
    """The records of a file, oldest first; where the last one ends, and what a crash left after it."""

    records: tuple[TrialRecord, ...] = ()
    end: int = 0
    torn: bytes = b""
    ended: bool = True  # whether the last record has its line end


def lines(path: Path) -> Iterator[Line]:
    """All of them, good or bad. Raises OSError, also for what is no plain file, and ValueError for an endless line."""
    with open_plain(path) as handle:
        start = number = 0
        while content := handle.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(content) > MAX_LINE_BYTES:
                raise ValueError(f"line {number} is longer than {MAX_LINE_BYTES >> 20} MiB")
            if content.strip():
                try:
                    yield Line(number, start, content, TrialRecord.from_line(content.decode("utf-8")))
                except ValueError as error:
                    yield Line(number, start, content, None, str(error))
            start += len(content)


def read(path: Path) -> Contents:
    """What a crash tore at the end is left out; anything else that is no record is an error with its line."""
    records: list[TrialRecord] = []
    last: Line | None = None
    torn: list[Line] = []
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
    end = last.start + len(last.content) if last else 0
    return Contents(
        tuple(records), end, b"".join(line.content for line in torn), last is None or last.content.endswith(b"\n")
    )


def _refusal(path: Path, line: Line) -> UsageError:
    return UsageError(
        f"{path}:{line.number}: not a trial record: {line.problem}",
        fix="correct the line, or take it out: then an earlier record of its trial counts, or the trial runs again",
    )


def mend(path: Path) -> list[str]:
    """Set aside what a crash or a full disk left after the last record, and say so. Raises OSError."""
    found = read(path)
    if found.torn:
        _add(path.with_name(TORN_FILE), found.torn.removesuffix(b"\n") + b"\n")
        with path.open("r+b") as handle:
            handle.truncate(found.end)
            os.fsync(handle.fileno())
    if not found.ended:
        _add(path, b"\n")
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
    _add(path, (record.to_line() + "\n").encode())


def _is_whole(path: Path) -> bool:
    try:
        with open_plain(path) as handle:
            size = os.fstat(handle.fileno()).st_size
            return not size or os.pread(handle.fileno(), 1, size - 1) == b"\n"
    except FileNotFoundError:
        return True


def _add(path: Path, data: bytes) -> None:
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o644)
    try:
        size = os.fstat(descriptor).st_size
        try:
            written = 0
            while written < len(data):  # a full disk takes a part of it first, and only then says so
                written += os.write(descriptor, data[written:])
            os.fsync(descriptor)
        except BaseException:
            os.ftruncate(descriptor, size)
            raise
    finally:
        os.close(descriptor)


@contextmanager
def open_plain(path: Path) -> Iterator[BinaryIO]:
    """Opened without following a link and without waiting for whoever writes a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ELOOP:
            error.strerror = "it is a link"
        raise
    with os.fdopen(descriptor, "rb") as handle:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        if found.st_size > MAX_BYTES:
            raise OSError(errno.EFBIG, f"larger than {MAX_BYTES >> 30} GiB", str(path))
        yield handle
