"""Input traces: what they are once they are read.

`demo_outputs/*.json`, 30 frames per second, 1280×720. There is one reader (trace_reader.py) and it gives two answers:
the trace as far as it can be replayed, and everything in which it differs from the form we ask authors to write.
Replays go by the first answer, because a submission is written for the lenient reader of the public benchmark;
`lint` and the published schema (docs/trace.schema.json) go by the second. Each file stands alone: one that is broken
never affects another.
"""

import hashlib
import json
from dataclasses import dataclass

FPS = 30
WIDTH, HEIGHT = 1280, 720
MAX_FRAMES = 600  # of a clean trace
MAX_REPLAYED_FRAMES = 90 * FPS  # the reference gives up on a demo that lasts longer
MAX_TRACES = 10
MAX_BYTES = 16 << 20

BUTTONS = ("left", "right")
NAMED_KEYS = (
    "ESCAPE", "ENTER", "SPACE", "TAB", "BACKSPACE", "DELETE", "SHIFT", "CTRL", "ALT", "UP", "DOWN", "LEFT", "RIGHT",
)  # fmt: skip
KEYS = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *"0123456789", *NAMED_KEYS)


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
    """A trace that can be replayed. `digest` identifies what it does, not how the file is laid out."""

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
    """What is wrong, where: `demo_outputs/02.json: events[3].x: 1300 is outside 0–1279 (line 9)`.

    `taken` says what a replay makes of it all the same; without it, the demo cannot be replayed.
    """

    file: str
    path: str
    message: str
    line: int | None = None
    rule: str = ""  # its name in docs/traces.md, where a replay goes on
    taken: str = ""

    def __str__(self) -> str:
        where = f"{self.file}: {self.path}: " if self.path else f"{self.file}: "
        return where + self.message + (f" (line {self.line})" if self.line is not None else "")


class TraceError(ValueError):
    """A trace that cannot be used; `problem` says why."""

    def __init__(self, problem: TraceProblem) -> None:
        self.problem = problem
        super().__init__(str(problem))


@dataclass(frozen=True)
class Reading:
    """Both answers of the reader about one file. `trace` is None exactly if there is a `problem`."""

    trace: Trace | None
    liberties: tuple[TraceProblem, ...] = ()
    problem: TraceProblem | None = None

    @property
    def faults(self) -> tuple[TraceProblem, ...]:
        """Everything in which it is not a clean trace, in the order of the file."""
        return (*self.liberties, *((self.problem,) if self.problem else ()))


@dataclass(frozen=True)
class TraceSet:
    """The traces of a project by file name: what each of the first ones is, and the names of those beyond."""

    readings: tuple[Reading, ...]
    ignored: tuple[str, ...]

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Those that can be replayed."""
        return tuple(reading.trace for reading in self.readings if reading.trace)

    @property
    def clean(self) -> tuple[Trace, ...]:
        """Those that are written as we ask."""
        return tuple(reading.trace for reading in self.readings if reading.trace and not reading.liberties)

    @property
    def problems(self) -> tuple[TraceProblem, ...]:
        """Why the others cannot be replayed."""
        return tuple(reading.problem for reading in self.readings if reading.problem)

    @property
    def faults(self) -> tuple[TraceProblem, ...]:
        return tuple(fault for reading in self.readings for fault in reading.faults)


def make_trace(name: str, scenario: str | None, duration_frames: int, events: tuple[Event, ...]) -> Trace:
    """Build a trace from values that are known to be good."""
    plain = [[e.type, e.frame, e.x, e.y, e.button, e.keycode] for e in events]
    canonical = json.dumps([scenario, duration_frames, plain], separators=(",", ":"), ensure_ascii=True)
    return Trace(
        name=name,
        scenario=scenario,
        duration_frames=duration_frames,
        events=events,
        digest=hashlib.sha256(canonical.encode()).hexdigest(),
    )


def printable(text: str) -> str:
    """File and key names come from strangers: no control characters or lone surrogates in a message."""
    shown = "".join(c if c.isprintable() else "�" for c in text)
    return shown if len(shown) <= 120 else shown[:117] + "…"
