"""No text leaves the process with a secret in it: each value becomes `[redacted NAME]`.

Secret are the values of environment variables whose names say so, passwords in addresses, and what `keep_secret` was
told. A value needs eight characters: shorter ones ("dummy", "test") are words, and replacing words would wreck records.
Nothing that is hashed passes through here: evidence and submissions stay as they are.
"""

import base64
import html
import json
import os
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import TextIOBase
from pathlib import Path
from typing import Any, TextIO, TypeVar
from urllib.parse import quote, quote_plus

MIN_CHARACTERS = 8
_MIN_LINE = 16  # of a secret with several lines, a private key say, each long line counts for itself
_SAYS_SECRET = re.compile(
    r"(?:^|_)(?:API|ACCESS|AUTH|PRIVATE)?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?(?:_|$)"
    r"|(?:^|_)(?:PASS|PAT|AUTH|BEARER)(?:_|$)"
)
_ADDRESS_PASSWORD = re.compile(r"://[^/?#\s:@]*:([^/?#\s@]+)@")
_NAME = re.compile(r"\w+", re.ASCII)

Data = TypeVar("Data")
_told: dict[str, str] = {}
_lock = threading.Lock()


def keep_secret(name: str, value: str) -> None:
    """A secret that stands in no environment variable; `name` is what readers see in its place."""
    with _lock:
        _told[value] = name


def redact(text: str) -> str:
    """The same text without secrets."""
    known = _known()
    return known.in_text(text) if known else text


def redact_data(data: Data) -> Data:
    """The same for every text in what becomes JSON. Numbers stay numbers, whatever a secret looks like."""
    known = _known()
    return known.in_data(data) if known else data


@dataclass(frozen=True)
class _Known:
    """All forms of all secrets, as one expression for texts and one for bytes."""

    names: dict[str, str]
    text: re.Pattern[str]
    raw: re.Pattern[bytes]

    def in_text(self, text: str) -> str:
        return self.text.sub(lambda match: f"[redacted {self.names[match[0]]}]", text)

    def in_bytes(self, data: bytes) -> bytes:
        return self.raw.sub(lambda match: f"[redacted {self.names[match[0].decode()]}]".encode(), data)

    def in_data(self, data: Any) -> Any:
        if isinstance(data, str):
            return self.in_text(data)
        if isinstance(data, dict):
            return {self.in_data(key): self.in_data(value) for key, value in data.items()}
        if isinstance(data, list | tuple):
            return [self.in_data(value) for value in data]
        return data

    def held_back(self, data: bytes) -> int:
        """How many bytes at the end may be the beginning of a secret."""
        longest = 0
        for form in self.names:
            encoded = form.encode()
            for length in range(min(len(encoded) - 1, len(data)), longest, -1):
                if data.endswith(encoded[:length]):
                    longest = length
                    break
        return longest


def _known() -> _Known | None:
    with _lock:
        told = tuple((name, value) for value, name in _told.items())
    found = (*told, *_in_environment())
    return _compiled(tuple(sorted(set(found)))) if found else None


def _in_environment() -> Iterator[tuple[str, str]]:
    for name, value in _environment().items():
        if _SAYS_SECRET.search(name.upper()):
            yield name, value
        for match in _ADDRESS_PASSWORD.finditer(value):
            yield name, match[1]


def _environment() -> dict[str, str]:
    while True:
        try:
            return dict(os.environ)
        except (RuntimeError, KeyError):  # another thread has just set or removed a variable
            continue


@lru_cache(maxsize=8)
def _compiled(secrets: tuple[tuple[str, str], ...]) -> _Known | None:
    names: dict[str, str] = {}
    for name, value in secrets:
        if len(value.strip()) >= MIN_CHARACTERS and not _is_file(value):
            shown = name if _NAME.fullmatch(name) else "a secret"
            names |= {form: names.get(form, shown) for form in _forms(value.strip())}
    if not names:
        return None
    longest_first = sorted(names, key=len, reverse=True)
    return _Known(
        names,
        re.compile("|".join(map(_expression, longest_first))),
        re.compile("|".join(map(_expression, longest_first)).encode()),
    )


def _is_file(value: str) -> bool:
    """`GOOGLE_CREDENTIALS=/home/me/key.json`: the path is none, and it is part of other paths."""
    try:
        return value.startswith(("/", "~", ".")) and Path(value).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def _forms(value: str) -> set[str]:
    """The value, and how JSON, addresses, HTML, Python and base64 write it."""
    forms = {value}
    for line in value.splitlines() if "\n" in value else ():
        if len(line.strip()) >= _MIN_LINE and not line.startswith("-----"):
            forms |= _forms(line.strip())
    quoted, plus = quote(value, safe="", errors="replace"), quote_plus(value, errors="replace")
    in_json = [json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]]
    forms |= {quoted, plus, quote(value, errors="replace"), *map(_lower_percent, (quoted, plus))}
    forms |= {*in_json, *(text.replace("/", "\\/") for text in in_json), repr(value)[1:-1]}
    forms |= {html.escape(value), html.escape(value).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")}
    data = value.encode("utf-8", "replace")
    forms |= {data.hex(), *_in_base64(data)}
    return {form for form in forms if len(form) >= MIN_CHARACTERS and "\n" not in form and form.isprintable()}


def _lower_percent(quoted: str) -> str:
    return re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), quoted)


def _in_base64(data: bytes) -> Iterable[str]:
    """Alone or in the midst of other bytes: what does not depend on the neighbours, for each of the three places."""
    for before in range(3):
        whole = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        first, last = -(-before * 8 // 6), (before + len(data)) * 8 // 6
        for text in (whole, whole.replace("+", "-").replace("/", "_")):
            yield text[first:last]


def _expression(form: str) -> str:
    """Digits alone are no secret in the midst of a number."""
    return rf"(?<![0-9.]){form}(?![0-9.])" if form.isdecimal() else re.escape(form)


class LogRedactor:
    """For a log that comes in pieces, one of which may end within a secret."""

    def __init__(self) -> None:
        self._known = _known()
        self._kept = b""

    def feed(self, data: bytes) -> bytes:
        """What can be written by now. No secret has a line end, so nothing of a whole line is kept back."""
        if self._known is None:
            return data
        data = self._known.in_bytes(self._kept + data)
        kept = 0 if data.endswith(b"\n") else self._known.held_back(data)
        self._kept = data[len(data) - kept :]
        return data[: len(data) - kept]

    def rest(self) -> bytes:
        """When nothing more comes."""
        kept, self._kept = self._kept, b""
        return kept


class RedactedStream(TextIOBase):
    """A standard stream that redacts what is written; everything else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(redact(text))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self._stream.errors
