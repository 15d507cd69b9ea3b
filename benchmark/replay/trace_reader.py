"""The reader of input traces: those of a project, and one pass over one untrusted file.

What the reference recorder can replay becomes a trace; every point in which the file is not as docs/traces.md asks is
noted as a liberty, under the name of its rule there. What cannot be replayed is the problem of that file alone.
"""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from benchmark.projects.project import TRACE_FOLDER
from benchmark.replay.traces import (
    BUTTONS,
    FPS,
    HEIGHT,
    KEYS,
    MAX_BYTES,
    MAX_FRAMES,
    MAX_REPLAYED_FRAMES,
    MAX_TRACES,
    NAMED_KEYS,
    WIDTH,
    Event,
    Reading,
    Trace,
    TraceError,
    TraceProblem,
    TraceSet,
    make_trace,
    printable,
)
from benchmark.untrusted import TOO_DEEP, UnreadableFileError, check_nesting, open_regular

MAX_CLEAN_BYTES = 1 << 20
MAX_CLEAN_EVENTS, MAX_EVENTS = 5000, 100_000
MAX_CLEAN_SCENARIO, MAX_SCENARIO = 200, 4000
MAX_LIBERTIES = 1000  # that are told one by one, besides the first of each kind

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
_MISSING: Any = object()


def load_traces(project: Path, limit: int = MAX_TRACES) -> TraceSet:
    """Read the first traces of a project by file name, at most `limit`; a broken one counts as one of them."""
    folder = project / TRACE_FOLDER
    try:
        files = sorted((f for f in folder.iterdir() if f.suffix.lower() == ".json"), key=lambda f: f.name)
    except OSError:
        files = []
    readings = (take_trace(file, name=f"{TRACE_FOLDER}/{printable(file.name)}") for file in files[:limit])
    return TraceSet(tuple(readings), tuple(printable(f.name) for f in files[limit:]))


def take_trace(file: Path, name: str | None = None) -> Reading:
    """Read one file for a replay: whatever the reference can replay, with a note of every liberty it took."""
    name = name or printable(file.name)
    try:
        with open_regular(file) as handle:
            data = handle.read(MAX_BYTES + 1)
    except UnreadableFileError as error:
        return Reading(None, problem=TraceProblem(name, "", str(error)))
    return read_bytes(data, name)


def read_trace(file: Path, name: str | None = None) -> Trace:
    """Read one file as an author should have written it; raises TraceError for the first fault."""
    return _clean(take_trace(file, name))


def parse_trace(data: bytes, name: str) -> Trace:
    """Check the bytes of one trace completely; raises TraceError for the first fault."""
    return _clean(read_bytes(data, name))


def _clean(reading: Reading) -> Trace:
    if reading.faults or reading.trace is None:
        raise TraceError(reading.faults[0])
    return reading.trace


def read_bytes(data: bytes, name: str) -> Reading:
    """What the bytes of one file are as a trace. Never raises for what is in them."""
    reader = _Reader(data, name)
    try:
        trace = reader.trace()
    except TraceError as error:
        return Reading(None, tuple(reader.liberties), error.problem)
    return Reading(trace, tuple(reader.liberties))


class _Reader:
    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        self.text = ""
        self.liberties: list[TraceProblem] = []
        self.last_frame = 0  # that an event names
        self._index: int | None = None  # of the event that is being read
        self._lines: list[int] | None = None

    def fail(self, path: str, message: str, line: int | None = None) -> NoReturn:
        """This demo cannot be replayed."""
        raise TraceError(TraceProblem(self.name, path, message, line or self.line()))

    def take(self, rule: str, path: str, message: str, taken: str) -> None:
        """Not as asked, but a replay knows what to make of it."""
        if len(self.liberties) < MAX_LIBERTIES or all(one.rule != rule for one in self.liberties):
            self.liberties.append(
                TraceProblem(file=self.name, path=path, message=message, line=self.line(), rule=rule, taken=taken)
            )

    def line(self) -> int | None:
        """The line on which the event begins that is being read."""
        if self._index is None:
            return None
        if self._lines is None:
            self._lines = _event_lines(self.text)
        return self._lines[self._index] if self._index < len(self._lines) else None

    def trace(self) -> Trace:
        document = self.document()
        for key in document:
            if key not in ("scenario", "duration_frames", "events"):
                message = f"unknown key {_show(key)}; allowed are scenario, duration_frames, events"
                self.take("unknown-key", "", message, "ignored")
        scenario = self.scenario(document.get("scenario"))
        declared = self.duration(document)
        events = tuple(self.events(self.event_list(document), declared))
        frames = max(declared, self.last_frame)
        if frames < 1:
            self.fail("duration_frames", f"the demo lasts {frames} frames; at least 1 is needed")
        if frames > MAX_REPLAYED_FRAMES:
            longest = f"at most {MAX_REPLAYED_FRAMES // FPS} s are replayed"
            self.fail("duration_frames", f"the demo lasts {_show(frames)} frames; {longest}")
        return make_trace(self.name, scenario, frames, events)

    def document(self) -> dict[str, Any]:
        if len(self.data) > MAX_BYTES:
            self.fail("", f"is larger than {MAX_BYTES >> 20} MiB")
        if len(self.data) > MAX_CLEAN_BYTES:
            self.take("size", "", f"is larger than {MAX_CLEAN_BYTES >> 10} KiB", "read all the same")
        try:
            self.text = self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.fail("", f"is not UTF-8: byte {self.data[error.start]:#04x} at offset {error.start}")

        def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            result: dict[str, Any] = {}
            for key, value in pairs:
                if key in result:
                    message = f"key {_show(key)} stands twice in one object"
                    self.take("duplicate-key", "", message, "the last one counts")
                result[key] = value
            return result

        def constant(text: str) -> float:
            self.take("not-a-number", "", f"{text} is not a number", "passed over where nothing needs it")
            return float(text)

        try:
            document = json.loads(self.text, object_pairs_hook=unique, parse_constant=constant)
        except json.JSONDecodeError as error:
            self.fail("", f"is not JSON: {error.msg} at column {error.colno}", error.lineno)
        except (RecursionError, ValueError) as error:
            deep = isinstance(error, RecursionError)
            self.fail("", TOO_DEEP if deep else "is not usable JSON: a number has too many digits")
        try:
            check_nesting(document)
        except UnreadableFileError as error:
            self.fail("", str(error))
        if not isinstance(document, dict):
            self.fail("", f"must be an object with duration_frames and events, not {_show(document)}")
        return document

    def scenario(self, value: Any) -> str | None:
        if value is None:
            return None
        text = value if isinstance(value, str) else str(value)
        if not value:  # "", 0, false, [], {}: the reference starts the game without one
            self.take("scenario", "scenario", f"{_show(value)} is not the name of a scenario", "none is asked for")
            return None
        if "\0" in text or len(text) > MAX_SCENARIO or not _encodable(text):
            self.fail("scenario", f"{_show(text)} cannot be handed to a game")
        if not isinstance(value, str):
            self.take("scenario", "scenario", f"{_show(value)} is not a string", f"taken as {_show(text)}")
        elif len(text) > MAX_CLEAN_SCENARIO or not text.isprintable():
            allowed = f"must be 1 to {MAX_CLEAN_SCENARIO} printable characters"
            self.take("scenario", "scenario", f"{_show(text)} {allowed}", "handed on as it is")
        return text

    def duration(self, document: dict[str, Any]) -> int:
        path = "duration_frames"
        if path not in document:
            message = f"is missing; a whole number from 1 to {MAX_FRAMES}"
            self.take("duration", path, message, "the demo ends with its last event")
            return 0
        frames = self.whole(document, path, path)
        if not 1 <= frames <= MAX_FRAMES:
            taken = "the demo ends with its last event" if frames < 1 else "a window of it is sampled"
            self.take("duration", path, f"{_show(frames)} is outside 1–{MAX_FRAMES}", taken)
        return frames

    def event_list(self, document: dict[str, Any]) -> list[Any]:
        events = document.get("events", _MISSING)
        if events is _MISSING:
            self.take("no-events", "events", "is missing; an empty list means no input", "there is no input")
            return []
        if not isinstance(events, list):
            self.fail("events", f"{_show(events)} is not a list")
        if len(events) > MAX_EVENTS:
            self.fail("events", f"{len(events)} events; at most {MAX_EVENTS} are replayed")
        if len(events) > MAX_CLEAN_EVENTS:
            message = f"{len(events)} events; at most {MAX_CLEAN_EVENTS} are allowed"
            self.take("size", "events", message, "all are replayed")
        return events

    def events(self, events: list[Any], declared: int) -> Iterator[Event]:
        """In the order of the file. One whose time is over is played at once, as the reference does."""
        previous = 0
        for self._index, data in enumerate(events):
            path = f"events[{self._index}]"
            if not isinstance(data, dict):
                self.fail(path, f"{_show(data)} is not an object")
            kind = self.kind(data, path)
            frame = self.whole(data, "frame", f"{path}.frame")
            previous = self.moment(frame, previous, declared, f"{path}.frame")
            self.last_frame = max(self.last_frame, frame)
            event = self.event(kind, data, path, previous)
            if event is not None:
                yield event
        self._index = None

    def kind(self, data: dict[str, Any], path: str) -> str:
        kind = data.get("type", _MISSING)
        if kind is _MISSING:
            self.fail(f"{path}.type", f"is missing; one of {', '.join(EVENT_TYPES)}")
        if not isinstance(kind, str) or kind not in _FIELDS:
            self.fail(f"{path}.type", f"{_show(kind)} is unknown{_hint(kind, EVENT_TYPES)}")
        allowed = ("type", "frame", *_FIELDS[kind][0], *_FIELDS[kind][1])
        for key in data:
            if key not in allowed:
                message = f"unknown key; {kind} has {', '.join(allowed)}"
                self.take("unknown-key", f"{path}.{printable(key)}", message, "ignored")
        return kind

    def moment(self, frame: int, previous: int, declared: int, path: str) -> int:
        """The frame on which an event is played."""
        if declared > 0 and not 0 <= frame < declared:
            rule, taken = "early", "played at once"
            if frame >= declared:
                rule, taken = "lengthened", f"the demo goes on to frame {_show(frame)}"
            self.take(rule, path, f"{_show(frame)} is outside 0–{declared - 1}", taken)
        elif frame < previous:
            message = f"{frame} comes after frame {previous}; order events by frame"
            self.take("order", path, message, f"played at frame {previous}")
        return max(frame, previous, 0)

    def event(self, kind: str, data: dict[str, Any], path: str, frame: int) -> Event | None:
        """None for an event that reaches no game."""
        required, optional = _FIELDS[kind]
        x = y = None
        if "x" in required:
            x, y = self.whole(data, "x", f"{path}.x"), self.whole(data, "y", f"{path}.y")
        button = self.choice(data, "button", path, BUTTONS) if "button" in optional else None
        keycode = self.choice(data, "keycode", path, KEYS) if "keycode" in required else None
        if x is not None and y is not None:
            if not 0 <= x < WIDTH:
                # xdotool takes a leading minus for an option and sends nothing at all
                taken = "this event is lost" if x < 0 else f"at the edge, {WIDTH - 1}"
                self.take("outside", f"{path}.x", f"{_show(x)} is outside 0–{WIDTH - 1}", taken)
            if not 0 <= y < HEIGHT:
                self.take("outside", f"{path}.y", f"{_show(y)} is outside 0–{HEIGHT - 1}", "at the edge")
            if x < 0:
                return None
            x, y = min(x, WIDTH - 1), min(max(y, 0), HEIGHT - 1)
        return Event(type=kind, frame=frame, x=x, y=y, button=button, keycode=keycode)

    def whole(self, data: dict[str, Any], key: str, path: str) -> int:
        value = data.get(key, _MISSING)
        if value is _MISSING:
            self.fail(path, "is missing; a whole number is needed")
        # JSON knows one kind of number: 12.0 is whole, true is not a number
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, float) and value.is_integer():
            return int(value)
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            self.fail(path, f"{_show(value)} is not a whole number")
        self.take("number", path, f"{_show(value)} is not a whole number", f"taken as {_show(number)}")
        return number

    def choice(self, data: dict[str, Any], key: str, path: str, allowed: tuple[str, ...]) -> str:
        """A key or button by name. Only a button has a default, the left one."""
        value = data.get(key, BUTTONS[0] if allowed is BUTTONS else _MISSING)
        if value is _MISSING:
            self.fail(f"{path}.{key}", "is missing")
        if isinstance(value, str) and value in allowed:
            return value
        message = f"{_show(value)} is unknown{_hint(value, allowed)}"
        folded = {name.lower(): name for name in allowed}
        name = folded.get(str(value).strip().lower()) if isinstance(value, str | int) else None
        if name is None:
            self.fail(f"{path}.{key}", message)
        self.take("name", f"{path}.{key}", message, f"taken as {_show(name)}")
        return name


def _event_lines(text: str) -> list[int]:
    """The lines on which the events begin, found by walking the well-formed top-level object."""
    decoder = json.JSONDecoder()
    lines: list[int] = []

    def skip(position: int) -> int:
        while text[position] in " \t\r\n,:":
            position += 1
        return position

    position = skip(text.index("{") + 1)
    while text[position] != "}":
        key, position = decoder.raw_decode(text, position)
        position = skip(position)
        if key != "events" or text[position] != "[":
            position = skip(decoder.raw_decode(text, position)[1])
            continue
        lines, counted, line = [], 0, 1
        position = skip(position + 1)
        while text[position] != "]":
            line += text.count("\n", counted, position)
            counted = position
            lines.append(line)
            position = skip(decoder.raw_decode(text, position)[1])
        position = skip(position + 1)
    return lines


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, written as an escape
        return False
    return True


def _show(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return printable(text if len(text) <= 60 else text[:57] + "…")


def _hint(value: Any, allowed: tuple[str, ...]) -> str:
    if isinstance(value, str):
        folded = {name.lower(): name for name in allowed}
        if near := get_close_matches(value.lower()[:40], folded, n=1, cutoff=0.75):
            return f"; did you mean {_show(folded[near[0]])}?"
    names = ", ".join(allowed) if len(allowed) <= 8 else f"A–Z, 0–9, {', '.join(NAMED_KEYS)}"
    return f"; allowed are {names}"
