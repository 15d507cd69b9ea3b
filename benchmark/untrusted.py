"""Reading files that strangers wrote: whatever is in them, whatever they are, there is one exception and an end.

Only regular files are read, by a descriptor that was looked at after it was opened, so that no link is followed and no
pipe waited for. Sizes and nesting are limited. What is wrong with the file is an UnreadableFileError; an OSError that
still comes out of here is about this machine.
"""

import errno
import json
import os
import re
import stat
import tomllib
from io import BufferedReader
from pathlib import Path
from typing import Any

from benchmark.limits import MAX_DEPTH, MAX_KEY_PARTS, MAX_NAME_BYTES, MAX_NESTING, MAX_PATH_BYTES, MAX_YAML_NODES

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
# What a name or a file can do to whoever opens it. No file causes the others: no space, no memory, no descriptors, a
# disk that does not answer.
_OF_THE_FILE = {
    errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENXIO,
    errno.ENODEV, errno.EINVAL, errno.EILSEQ, errno.EOVERFLOW, errno.ETXTBSY, errno.EMLINK, errno.EWOULDBLOCK,
}  # fmt: skip
# Strings and comments, each in one step: what is not closed goes on to the end, so that nothing is scanned twice.
_TOML_TOKENS = re.compile(
    r"""
    \#[^\n]* | "{3}(?:[^\\]|\\.)*?(?:"{3}|\\?\Z) | '{3}.*?(?:'{3}|\Z) | "(?:[^"\\\n]|\\.)*+" | '[^'\n]*+'
    """,
    re.VERBOSE | re.DOTALL,
)
_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}")
TOO_DEEP = f"is nested deeper than {MAX_NESTING} levels"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class UnreadableFileError(ValueError):
    """What is wrong with a file, as the end of a sentence that begins with its name: `is larger than 1 MiB`."""


def of_the_file(error: OSError) -> bool:
    """Whether the file or its name is to blame, not this machine."""
    return error.errno in _OF_THE_FILE


def open_regular(path: Path | str, dir_fd: int | None = None) -> BufferedReader:
    """A regular file, opened without following a link at its end and without waiting."""
    try:
        descriptor = os.open(path, _FLAGS, dir_fd=dir_fd)
    except OSError as error:
        if not of_the_file(error):
            raise
        raise UnreadableFileError(_why(error)) from error
    except ValueError as error:
        raise UnreadableFileError("has a name that no file can have") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableFileError("is not a regular file")
    return os.fdopen(descriptor, "rb")


def _why(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "is a symbolic link"
    if error.errno == errno.ENOENT:
        return "there is no such file"
    return "is not a regular file" if error.errno == errno.ENXIO else f"cannot be read: {error.strerror}"


def read_bytes(path: Path | str, limit: int) -> bytes:
    """The whole of a file that has at most `limit` bytes."""
    with open_regular(path) as handle:
        data = handle.read(limit + 1) if os.fstat(handle.fileno()).st_size <= limit else b""
        if os.fstat(handle.fileno()).st_size > limit or len(data) > limit:
            raise UnreadableFileError(f"is larger than {_size(limit)}")
        return data


def read_head(path: Path | str, size: int) -> bytes:
    """The first bytes of a file of any size."""
    with open_regular(path) as handle:
        return handle.read(size)


def read_text(path: Path | str, limit: int) -> str:
    """Its text; what is not UTF-8 is replaced."""
    return read_bytes(path, limit).decode("utf-8", errors="replace")


def read_utf8(path: Path | str, limit: int) -> str:
    """Its text, which must be UTF-8."""
    return _utf8(read_bytes(path, limit), "utf-8")


def read_json(path: Path | str, limit: int, *, encodable: bool = True) -> Any:
    """The value that a JSON file holds."""
    return parse_json(read_bytes(path, limit), encodable=encodable)


def read_toml(path: Path | str, limit: int) -> dict[str, Any]:
    """The tables of a TOML file."""
    return parse_toml(read_utf8(path, limit))


def parse_json(data: bytes | str, *, encodable: bool = True) -> Any:
    """A JSON value that is not nested too deeply, and, if asked for, whose texts can be written to a file again."""
    text = _utf8(data, "utf-8-sig") if isinstance(data, bytes) else data
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise UnreadableFileError(TOO_DEEP) from error
    except ValueError as error:  # also a number of more digits than Python reads
        raise UnreadableFileError(f"is not JSON: {error}") from error
    check_nesting(value)
    if encodable and _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            shown = error.object[error.start]
            raise UnreadableFileError(f"has half of a surrogate pair in a text: {shown!r}") from error
    return value


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML document that is not nested too deeply, neither by brackets nor by dotted keys."""
    if _LONG_KEY.search(_TOML_TOKENS.sub("_", text)):
        raise UnreadableFileError(f"has a key of more than {MAX_KEY_PARTS} parts")
    try:
        value = tomllib.loads(text)
    except RecursionError as error:
        raise UnreadableFileError(TOO_DEEP) from error
    except ValueError as error:
        raise UnreadableFileError(f"is not TOML: {error}") from error
    check_nesting(value)
    return value


def read_yaml(path: Path | str, limit: int) -> Any:
    """The value that a YAML file holds."""
    return parse_yaml(read_utf8(path, limit))


def parse_yaml(text: str) -> Any:
    """The value of a YAML document: plain types only, no key twice, and no more of it than its size lets one expect."""
    from benchmark.yaml_reader import load_plain  # only who reads YAML pays for its library

    try:
        value = load_plain(text, MAX_YAML_NODES)
    except RecursionError as error:
        raise UnreadableFileError(TOO_DEEP) from error
    except ValueError as error:
        raise UnreadableFileError(f"is not YAML that is taken: {error}") from error
    check_nesting(value)
    return value


def check_nesting(value: Any) -> None:
    """Raises UnreadableFileError for what would be too deep for whoever walks it by recursion."""
    level = [value]
    for _ in range(MAX_NESTING + 1):
        lists = (list(one.values()) if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [child for children in lists for child in children]
        if not level:
            return
    raise UnreadableFileError(TOO_DEEP)


def shown(value: object, limit: int = 80) -> str:
    """A stranger's value in a message of ours: one short line."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def name_problem(name: str) -> str:
    """Why nothing of ours may have this relative path or go by it, as the end of a sentence; empty if it may."""
    if not name:
        return "is empty"
    try:
        raw = name.encode()
    except UnicodeEncodeError:
        return "is not UTF-8"
    if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in name):
        return "has a control character in it"
    if "\\" in name:
        return "has a backslash in it"
    parts = name.split("/")
    if not parts[0]:
        return "is an absolute path"
    if not {"", ".", ".."}.isdisjoint(parts):
        return "has an empty part, '.' or '..' in it"
    if len(raw) > MAX_PATH_BYTES or len(parts) > MAX_DEPTH:
        return f"is longer than {MAX_PATH_BYTES} bytes or deeper than {MAX_DEPTH} folders"
    if max(len(part.encode()) for part in parts) > MAX_NAME_BYTES:
        return f"has a part of more than {MAX_NAME_BYTES} bytes"
    return ""


def _utf8(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableFileError(f"is not UTF-8: byte {data[error.start]:#04x} at offset {error.start}") from error


def _size(limit: int) -> str:
    return f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"
