"""Reading what may be missing, half-written or damaged: every answer has the type that was asked for."""

import math
import os
import re
import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from benchmark.jsonl import read_lines
from benchmark.untrusted import open_regular, read_json

_LOG_BYTES = 1 << 18
_LINE_CHARACTERS = 2000
_MAX_JSON_BYTES = 1 << 26
_MAX_LINES = 20_000
_MAX_LINE_BYTES = 1 << 22  # of JSON lines; what follows counts as the next line
_MAX_PICTURE_BYTES = 1 << 25
_MAX_SIDE = 4096
_MAX_BOXES = 10_000  # of a film
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NOT_SHOWN = ("submission", "workspace")
_READ_ERRORS = (OSError, ValueError, RecursionError)


def inside(folder: Path, root: Path) -> bool:
    """Whether it lies below `root`, links followed."""
    return folder.resolve().is_relative_to(root.resolve())


def first_strange(folder: Path, parts: Iterable[str] | None = None) -> Path | None:
    """A link that may lead elsewhere, or a pipe that may wait for a writer. Raises OSError.

    `parts` are what will be read. Without them all of it, but for what an agent left, of which nothing is shown.
    """
    names = parts if parts is not None else [path.name for path in folder.iterdir() if path.name not in _NOT_SHOWN]
    for path in (path for name in names for path in _below(folder / name)):
        mode = path.lstat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            return path
    return None


def _below(path: Path) -> Iterator[Path]:
    if os.path.lexists(path):
        yield path
    for parent, folders, files in os.walk(path):
        yield from (Path(parent, name) for name in (*folders, *files))


def is_plain(folder: Path) -> bool:
    """Whether nothing of a trial's folder that is shown leads out of it."""
    try:
        return not folder.is_symlink() and first_strange(folder) is None
    except OSError:
        return False


def tail(path: Path, lines: int) -> str:
    """The last lines of a log, without terminal colours; empty if there is none."""
    try:
        with open_regular(path) as handle:
            handle.seek(max(0, os.fstat(handle.fileno()).st_size - _LOG_BYTES))
            text = handle.read(_LOG_BYTES).decode("utf-8", errors="replace")
    except _READ_ERRORS:
        return ""
    kept = _COLOUR.sub("", text).splitlines()[-lines:]
    return "\n".join(line if len(line) <= _LINE_CHARACTERS else f"{line[:_LINE_CHARACTERS]} …" for line in kept)


def head(path: Path, lines: int) -> tuple[tuple[str, ...], bool]:
    """The first lines of a text, none if there is no file, and whether these are all of them."""
    try:
        with open_regular(path) as handle:
            data = handle.read(_LOG_BYTES + 1)
    except _READ_ERRORS:
        return (), True
    text = data[:_LOG_BYTES].decode("utf-8", errors="replace")
    found = text.removesuffix("\n").split("\n") if text else []  # other line ends may be part of a line
    kept = [line if len(line) <= _LINE_CHARACTERS else f"{line[:_LINE_CHARACTERS]} …" for line in found[:lines]]
    return tuple(kept), len(data) <= _LOG_BYTES and len(found) <= lines


def is_whole_jpeg(path: Path) -> bool:
    """A regular file from the first marker to the last; a write that was cut off has no end."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with path.open("rb") as handle:
            if handle.read(2) != b"\xff\xd8":
                return False
            handle.seek(-2, 2)
            return handle.read(2) == b"\xff\xd9"
    except OSError:
        return False


def is_whole_png(path: Path) -> bool:
    """A regular file from its head to its end, no larger than a screen: a game could have written it."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode) or path.stat().st_size > _MAX_PICTURE_BYTES:
            return False
        with path.open("rb") as handle:
            start = handle.read(24)
            width, height = (int.from_bytes(start[at : at + 4], "big") for at in (16, 20))
            if start[:8] != b"\x89PNG\r\n\x1a\n" or start[12:16] != b"IHDR":
                return False
            handle.seek(-8, 2)
            return handle.read(4) == b"IEND" and 0 < width <= _MAX_SIDE and 0 < height <= _MAX_SIDE
    except OSError:
        return False


def picture_ending(path: Path) -> str:
    """`.png`, `.jpg`, `.webp` or `.gif` of a regular file that is one, whatever it is called; empty for any other."""
    if is_whole_png(path):
        return ".png"
    if is_whole_jpeg(path):
        return ".jpg" if path.stat().st_size <= _MAX_PICTURE_BYTES else ""
    try:
        with open_regular(path) as handle:
            start = handle.read(12)
            if os.fstat(handle.fileno()).st_size > _MAX_PICTURE_BYTES:
                return ""
    except _READ_ERRORS:
        return ""
    if start[:4] == b"RIFF" and start[8:] == b"WEBP":
        return ".webp"
    return ".gif" if start[:6] in (b"GIF87a", b"GIF89a") else ""


def is_whole_mp4(path: Path) -> bool:
    """A regular file whose boxes fill it exactly and hold the index without which nothing plays."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        size, at = path.stat().st_size, 0
        kinds: set[bytes] = set()
        with path.open("rb") as handle:
            for _ in range(_MAX_BOXES):
                if at >= size:
                    break
                handle.seek(at)
                head = handle.read(16)
                length = int.from_bytes(head[:4], "big")
                if length == 1:
                    length = int.from_bytes(head[8:16], "big")
                if length < 8:
                    return False
                kinds.add(head[4:8])
                at += length
    except OSError:
        return False
    return at == size and {b"moov", b"mdat"} <= kinds


def parsed(path: Path) -> Any:
    try:
        return read_json(path, _MAX_JSON_BYTES, encodable=False)
    except _READ_ERRORS:
        return None


def json_object(path: Path, problems: list[str]) -> dict[str, Any]:
    """A JSON object, or an empty one and a remark."""
    data = parsed(path)
    if isinstance(data, dict):
        return data
    where = "/".join(path.parts[-2:]) if path.parent.name == "judgement" else path.name
    problems.append(f"{where} is {'damaged' if path.exists() else 'missing'}.")
    return {}


def json_lines(path: Path) -> Iterator[dict[str, Any] | None]:
    """The objects of a JSON lines file; None for a line that is none."""
    try:
        for line in islice(read_lines(path, max_line_bytes=_MAX_LINE_BYTES), _MAX_LINES):
            if line.start + len(line.content) > _MAX_JSON_BYTES:
                return
            yield line.object()
    except _READ_ERRORS:
        return


def as_dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def as_shown(value: Any) -> str:
    return str(value) if isinstance(value, int | float) else "unknown"


def as_whole(value: Any, default: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        return default
    return min(max(value, low), high)


def as_number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:  # a whole number may have any length
        return None
    return found if math.isfinite(found) else None
