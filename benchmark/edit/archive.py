"""A zip of a stranger, before Python's reader lists it: that takes memory for whatever the index promises."""

import os
from pathlib import Path

from benchmark.errors import TaskError
from benchmark.limits import MAX_ARCHIVE_INDEX_BYTES, MAX_BYTES
from benchmark.untrusted import UnreadableFileError, open_regular

_END, _END_BYTES, _LONGEST_COMMENT = b"PK\x05\x06", 22, 1 << 16
_LARGE_END, _LARGE_END_BYTES = b"PK\x06\x07", 20


def check_archive(path: Path) -> None:
    """Raises TaskError for what is no zip, or for one with an index larger than any project's."""
    try:
        with open_regular(path) as handle:
            size = os.fstat(handle.fileno()).st_size
            handle.seek(max(0, size - _END_BYTES - _LONGEST_COMMENT - _LARGE_END_BYTES))
            tail = handle.read()
    except UnreadableFileError as error:
        raise TaskError(f"{path}: {error}") from error
    end = tail.rfind(_END)
    if end < 0 or len(tail) < end + _END_BYTES:
        raise TaskError(f"{path}: is not a zip")
    index = int.from_bytes(tail[end + 12 : end + 16], "little")
    if size > MAX_BYTES or index > MAX_ARCHIVE_INDEX_BYTES or _LARGE_END in tail[:end]:
        raise TaskError(f"{path}: larger than a project may be")
