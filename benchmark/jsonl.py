"""JSON lines, read and written in one way for all files of a run.

Only a line end separates lines: other separators that Unicode knows may stand inside of one. A file may be anybody's,
so no link is followed, no pipe waited for, and lines and files have a bound. A line that was appended is on the disk,
whole, or not there at all.
"""

import errno
import fcntl
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from benchmark.redaction import redact_data
from benchmark.untrusted import UnreadableFileError, parse_json

MAX_LINE_BYTES = 16 << 20
MAX_BYTES = 1 << 30


@dataclass(frozen=True)
class Line:
    """One line that is not empty, with its end if it has one."""

    number: int
    start: int  # in bytes
    content: bytes

    @property
    def ended(self) -> bool:
        """Whether whoever wrote it came to its end."""
        return self.content.endswith(b"\n")

    def object(self) -> dict[str, Any] | None:
        """The JSON object in it; None if there is none, or one that is nested too deeply."""
        try:
            value = parse_json(self.content, encodable=False)
        except UnreadableFileError:
            return None
        return value if isinstance(value, dict) else None


def read_lines(path: Path, *, max_bytes: int = MAX_BYTES, max_line_bytes: int = MAX_LINE_BYTES) -> Iterator[Line]:
    """Raises OSError, also for what is no plain file or too large, and ValueError for a line without end."""
    with open_plain(path, max_bytes) as handle:
        start = number = 0
        while content := handle.readline(max_line_bytes + 1):
            number += 1
            if len(content) > max_line_bytes:
                raise ValueError(f"line {number} is longer than {max_line_bytes >> 20} MiB")
            if content.strip():
                yield Line(number, start, content)
            start += len(content)


def as_line(row: Mapping[str, Any]) -> str:
    """Without line end and without secrets. NaN is refused: a number that is none has no place in a file."""
    line = json.dumps(redact_data(dict(row)), ensure_ascii=False, allow_nan=False)
    return line.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair is legal in JSON only


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """A whole file of what is ours, as it is: evidence is hashed, so nothing is taken out of it."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def append(path: Path, data: bytes, *, max_bytes: int = MAX_BYTES) -> None:
    """Whole lines at the end: on the disk when this returns, and not a byte of them there if this raises OSError.

    Several processes may append. What a torn line of somebody who is gone left without end is ended first.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        size = os.fstat(descriptor).st_size
        if size + len(data) > max_bytes:
            raise OSError(errno.EFBIG, f"would be larger than {max_bytes >> 20} MiB", str(path))
        if size and os.pread(descriptor, 1, size - 1) != b"\n" and data != b"\n":
            data = b"\n" + data
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
def open_plain(path: Path, max_bytes: int = MAX_BYTES) -> Iterator[BinaryIO]:
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
        if found.st_size > max_bytes:
            raise OSError(errno.EFBIG, f"larger than {max_bytes >> 20} MiB", str(path))
        yield handle
