"""Short texts for people."""

import unicodedata


def one_line(text: str, limit: int = 500) -> str:
    """For tables and terminals: names and messages of a submission may hold line ends and escape sequences."""
    line = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def duration(seconds: float) -> str:
    """`41 s`, `12 min`, `1.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def clock(seconds: float) -> str:
    """`0:41`, `12:05`, `1:02:03`."""
    minutes, rest = divmod(max(int(seconds), 0), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def fit(text: str, columns: int) -> str:
    """Its beginning, as much as a terminal of so many columns has room for in one line."""
    wide = sum(map(_columns, text))
    if wide <= columns:
        return text
    kept, room = [], columns - 1
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + "…" if columns > 0 else ""


def _columns(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
