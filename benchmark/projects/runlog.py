"""Reading the engine's log: errors and warnings with the script line they came from."""

import re
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]

_HEAD = re.compile(r"^(?:USER )?(?P<script>SCRIPT |SHADER )?(?P<severity>ERROR|WARNING): (?P<text>.*)$")
_AT = re.compile(r"^\s+at: (?P<function>.*?) ?\((?P<file>[^()]*):(?P<line>[0-9]{1,9})\)\s*$")
_BACKTRACE = re.compile(r"^\s+\[\d+\] (?P<function>.*?) \((?P<file>res://[^()]*):(?P<line>[0-9]{1,9})\)\s*$")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
MAX_MESSAGES = 200
# Said about our virtual display to every game that is started on it; no game can help it.
_NOT_THE_GAMES = ("Could not set V-Sync mode",)


@dataclass(frozen=True)
class EngineMessage:
    """One distinct error or warning. `file` and `line` name the game's script if the engine knew it."""

    severity: Severity
    text: str
    file: str | None = None
    line: int | None = None
    frame: int | None = None
    count: int = 1

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}" if self.file else ""

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.file else self.text


def parse_log(log: str, frame_of_line: dict[int, int] | None = None) -> tuple[EngineMessage, ...]:
    """The distinct messages of a log, in order of first appearance, with how often each came.

    `frame_of_line` maps line numbers of the log to the frame that was processed when it was written.
    """
    found: dict[tuple[str, str, str | None, int | None], EngineMessage] = {}
    lines = _COLOUR.sub("", log).splitlines()
    for number, line in enumerate(lines):
        head = _HEAD.match(line)
        if not head:
            continue
        severity: Severity = "error" if head["severity"] == "ERROR" else "warning"
        file, position = _location(lines, number + 1)
        text = head["text"].strip()[:500]
        if file is None and text.startswith(_NOT_THE_GAMES):
            continue
        key = (severity, text, file, position)
        if key in found:
            old = found[key]
            found[key] = EngineMessage(
                severity=severity, text=text, file=file, line=position, frame=old.frame, count=old.count + 1
            )
        elif len(found) < MAX_MESSAGES:
            frame = (frame_of_line or {}).get(number)
            found[key] = EngineMessage(severity=severity, text=text, file=file, line=position, frame=frame)
    return tuple(found.values())


def _location(lines: list[str], start: int) -> tuple[str | None, int | None]:
    """The first `res://` place named below a message: its own, or the top of the script backtrace."""
    for line in lines[start : start + 6]:
        if _HEAD.match(line):
            break
        for pattern in (_AT, _BACKTRACE):
            if (match := pattern.match(line)) and match["file"].startswith("res://"):
                return match["file"], int(match["line"])
    return None, None
