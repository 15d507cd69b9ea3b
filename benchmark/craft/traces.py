"""Input traces: a strict reader with messages an agent can act on.

`demo_outputs/*.json`, 30 frames per second, 1280×720. Each file stands alone: one that is broken never
affects another. A trace longer than 600 frames is rejected, not cut: cutting would judge a demo its
author never saw. The published schema is docs/trace.schema.json; this module accepts the same files.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from benchmark.projects.project import TRACE_FOLDER

FPS = 30
WIDTH, HEIGHT = 1280, 720
MAX_FRAMES = 600
MAX_TRACES = 10
MAX_EVENTS = 5000
MAX_BYTES = 1 << 20
MAX_SCENARIO_LENGTH = 200

BUTTONS = ("left", "right")
NAMED_KEYS = (
    "ESCAPE", "ENTER", "SPACE", "TAB", "BACKSPACE", "DELETE", "SHIFT", "CTRL", "ALT", "UP", "DOWN", "LEFT", "RIGHT",
)  # fmt: skip
KEYS = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *"0123456789", *NAMED_KEYS)

_POINT = ("x", "y")
# event type → (required fields, optional fields), besides `type` and `frame`
_FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "mouse_click": (_POINT, ("button",)),
    "mouse_down": (_POINT, ("button",)),
    "mouse_up": (_POINT, ("button",)),
    "mouse_move": (_POINT, ()),
    "key_press": (("keycode",), ()),
    "key_down": (("keycode",), ()),
    "key_up": (("keycode",), ()),
    "wait": ((), ()),
}
EVENT_TYPES = tuple(_FIELDS)


@dataclass(frozen=True)
class Event:
    """One line of a trace. Fields that its type does not have are None."""

    type: str
    frame: int
    x: int | None = None
    y: int | None = None
    button: str | None = None
    keycode: str | None = None


@dataclass(frozen=True)
class Trace:
    """A valid trace. `digest` identifies what it does, not how the file is laid out."""

    name: str
    scenario: str | None
    duration_frames: int
    events: tuple[Event, ...]
    digest: str

    def without_inputs(self) -> "Trace":
        """The same demo with nobody at the controls."""
        return make_trace(self.name, self.scenario, self.duration_frames, ())


@dataclass(frozen=True)
class TraceProblem:
    """What is wrong, where: `demo_outputs/02.json: events[3].x: 1300 is outside 0–1279 (line 9)`."""

    file: str
    path: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        where = f"{self.file}: {self.path}: " if self.path else f"{self.file}: "
        return where + self.message + (f" (line {self.line})" if self.line is not None else "")


class TraceError(ValueError):
    """A trace that cannot be used; `problem` says why."""

    def __init__(self, problem: TraceProblem) -> None:
        self.problem = problem
        super().__init__(str(problem))


@dataclass(frozen=True)
class TraceSet:
    """The traces of a project: usable ones, broken ones, and those beyond the first ten."""

    traces: tuple[Trace, ...]
    problems: tuple[TraceProblem, ...]
    ignored: tuple[str, ...]


def make_trace(name: str, scenario: str | None, duration_frames: int, events: tuple[Event, ...]) -> Trace:
    """Build a trace from values that are known to be good."""
    plain = [[e.type, e.frame, e.x, e.y, e.button, e.keycode] for e in events]
    canonical = json.dumps([scenario, duration_frames, plain], separators=(",", ":"), ensure_ascii=True)
    return Trace(name, scenario, duration_frames, events, hashlib.sha256(canonical.encode()).hexdigest())


def load_traces(project: Path) -> TraceSet:
    """Read the first ten traces of a project by file name; broken files become problems."""
    folder = project / TRACE_FOLDER
    try:
        files = sorted((f for f in folder.iterdir() if f.suffix.lower() == ".json"), key=lambda f: f.name)
    except OSError:
        files = []
    traces: list[Trace] = []
    problems: list[TraceProblem] = []
    for file in files[:MAX_TRACES]:
        try:
            traces.append(read_trace(file, name=f"{TRACE_FOLDER}/{_printable(file.name)}"))
        except TraceError as error:
            problems.append(error.problem)
    return TraceSet(tuple(traces), tuple(problems), tuple(_printable(f.name) for f in files[MAX_TRACES:]))


def read_trace(file: Path, name: str | None = None) -> Trace:
    """Read one trace file; raises TraceError."""
    name = name or _printable(file.name)
    try:
        if file.is_symlink() or not file.is_file():
            raise TraceError(TraceProblem(name, "", "is not a regular file"))
        with file.open("rb") as handle:
            data = handle.read(MAX_BYTES + 1)
    except OSError as error:
        raise TraceError(TraceProblem(name, "", f"cannot be read: {error.strerror}")) from error
    return parse_trace(data, name)


def parse_trace(data: bytes, name: str) -> Trace:
    """Check the bytes of one trace completely; raises TraceError for the first fault."""
    return _Reader(data, name).trace()


class _Reader:
    """One pass over one file. Faults carry the JSON path and, inside events, the line."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        if len(data) > MAX_BYTES:
            self.fail("", f"is larger than {MAX_BYTES // 1024} KiB")
        try:
            self.text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.fail("", f"is not UTF-8: byte {data[error.start]:#04x} at offset {error.start}")

    def fail(self, path: str, message: str, line: int | None = None) -> NoReturn:
        raise TraceError(TraceProblem(self.name, path, message, line))

    def trace(self) -> Trace:
        document = self.document()
        for key in document:
            if key not in ("scenario", "duration_frames", "events"):
                self.fail("", f"unknown key {_show(key)}; allowed are scenario, duration_frames, events")
        scenario = document.get("scenario")
        if scenario is not None:
            if not isinstance(scenario, str):
                self.fail("scenario", f"{_show(scenario)} is not a string")
            if not 0 < len(scenario) <= MAX_SCENARIO_LENGTH or not scenario.isprintable():
                self.fail("scenario", f"{_show(scenario)} must be 1 to {MAX_SCENARIO_LENGTH} printable characters")
        duration = self.whole(document, "duration_frames", "duration_frames", 1, MAX_FRAMES)
        events = document.get("events", _MISSING)
        if events is _MISSING:
            self.fail("events", "is missing; an empty list means no input")
        if not isinstance(events, list):
            self.fail("events", f"{_show(events)} is not a list")
        if len(events) > MAX_EVENTS:
            self.fail("events", f"{len(events)} events; at most {MAX_EVENTS} are allowed")
        return make_trace(self.name, scenario, duration, tuple(self.events(events, duration)))

    def document(self) -> dict[str, Any]:
        def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            result = dict(pairs)
            if len(result) < len(pairs):
                keys = [key for key, _ in pairs]
                self.fail("", f"key {_show(next(k for k in keys if keys.count(k) > 1))} stands twice in one object")
            return result

        def no_constant(constant: str) -> NoReturn:
            self.fail("", f"{constant} is not a number")

        try:
            document = json.loads(self.text, object_pairs_hook=unique, parse_constant=no_constant)
        except json.JSONDecodeError as error:
            self.fail("", f"is not JSON: {error.msg} at column {error.colno}", error.lineno)
        except (RecursionError, ValueError) as error:
            if isinstance(error, TraceError):
                raise
            reason = "nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"
            self.fail("", f"is not usable JSON: {reason}")
        if not isinstance(document, dict):
            self.fail("", f"must be an object with duration_frames and events, not {_show(document)}")
        return document

    def events(self, events: list[Any], duration: int) -> Iterator[Event]:
        previous = 0
        for index, data in enumerate(events):
            path = f"events[{index}]"
            try:
                event = self.event(data, path, duration)
                if event.frame < previous:
                    self.fail(f"{path}.frame", f"{event.frame} comes after frame {previous}; order events by frame")
            except TraceError as error:
                problem = error.problem
                self.fail(problem.path, problem.message, _line_of_event(self.text, index))
            previous = event.frame
            yield event

    def event(self, data: Any, path: str, duration: int) -> Event:
        if not isinstance(data, dict):
            self.fail(path, f"{_show(data)} is not an object")
        kind = data.get("type", _MISSING)
        if kind is _MISSING:
            self.fail(f"{path}.type", f"is missing; one of {', '.join(EVENT_TYPES)}")
        if not isinstance(kind, str) or kind not in _FIELDS:
            self.fail(f"{path}.type", f"{_show(kind)} is unknown{_hint(kind, EVENT_TYPES)}")
        required, optional = _FIELDS[kind]
        for key in data:
            if key not in ("type", "frame", *required, *optional):
                allowed = ", ".join(("type", "frame", *required, *optional))
                self.fail(f"{path}.{_printable(key)}", f"unknown key; {kind} has {allowed}")
        frame = self.whole(data, "frame", f"{path}.frame", 0, duration - 1)
        x = self.whole(data, "x", f"{path}.x", 0, WIDTH - 1) if "x" in required else None
        y = self.whole(data, "y", f"{path}.y", 0, HEIGHT - 1) if "y" in required else None
        button = self.choice(data, "button", path, BUTTONS, "left") if "button" in optional else None
        keycode = self.choice(data, "keycode", path, KEYS, None) if "keycode" in required else None
        return Event(kind, frame, x, y, button, keycode)

    def whole(self, data: dict[str, Any], key: str, path: str, low: int, high: int) -> int:
        value = data.get(key, _MISSING)
        if value is _MISSING:
            self.fail(path, f"is missing; a whole number from {low} to {high}")
        # JSON knows one kind of number: 12.0 is whole, true is not a number
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(path, f"{_show(value)} is not a whole number")
        if not low <= value <= high:
            self.fail(path, f"{_show(value)} is outside {low}–{high}")
        return value

    def choice(self, data: dict[str, Any], key: str, path: str, allowed: tuple[str, ...], default: str | None) -> str:
        value = data.get(key, default)
        if value is None and key not in data:
            self.fail(f"{path}.{key}", "is missing")
        if not isinstance(value, str) or value not in allowed:
            self.fail(f"{path}.{key}", f"{_show(value)} is unknown{_hint(value, allowed)}")
        return value


_MISSING: Any = object()


def _line_of_event(text: str, index: int) -> int | None:
    """The line on which `events[index]` begins, found by walking the well-formed top-level object."""
    decoder = json.JSONDecoder()

    def skip(position: int) -> int:
        while text[position] in " \t\r\n,:":
            position += 1
        return position

    position = skip(text.index("{") + 1)
    while text[position] != "}":
        key, position = decoder.raw_decode(text, position)
        position = skip(position)
        if key == "events":
            position = skip(position + 1)
            for _ in range(index):
                position = skip(decoder.raw_decode(text, position)[1])
            return text.count("\n", 0, position) + 1
        position = skip(decoder.raw_decode(text, position)[1])
    return None


def _printable(text: str) -> str:
    """File and key names come from strangers: no control characters or lone surrogates in a message."""
    shown = "".join(c if c.isprintable() else "�" for c in text)
    return shown if len(shown) <= 120 else shown[:117] + "…"


def _show(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return _printable(text if len(text) <= 60 else text[:57] + "…")


def _hint(value: Any, allowed: tuple[str, ...]) -> str:
    if isinstance(value, str):
        folded = {name.lower(): name for name in allowed}
        if near := get_close_matches(value.lower()[:40], folded, n=1, cutoff=0.75):
            return f"; did you mean {_show(folded[near[0]])}?"
    names = ", ".join(allowed) if len(allowed) <= 8 else f"A–Z, 0–9, {', '.join(NAMED_KEYS)}"
    return f"; allowed are {names}"
