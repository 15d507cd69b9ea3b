"""What an agent did, laid out for its trial's page: steps with their calls, a drawing of its time, its pictures."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from benchmark.agents.calls import ALL_KINDS, OTHER, as_text, kind_of, summary_of
from benchmark.agents.trajectory import Picture, Step, Tokens, ToolCall, ToolResult, Trajectory
from benchmark.results.report.section import take
from benchmark.results.report.session_clock import Clocked, clock
from benchmark.results.report.session_drawing import BarPart, SessionLane, lanes, shares, ticks, times
from benchmark.results.report.trajectory_reader import IMAGE_KINDS, RecordedSession, read_trajectory

MAX_CHARACTERS = 4_000_000  # of all that a page shows; a browser opens that in less than a second
_MAX_TEXT = 50_000  # of one text on the page
_LEAD = 180
_PREVIEW_LINES = 6
_PREVIEW_CHARACTERS = 600


@dataclass(frozen=True)
class Shown:
    """A text: its beginning, and all of it where that is more. `left_out` characters are only in the file."""

    lead: str
    whole: str = ""
    lines: int = 0
    left_out: int = 0


@dataclass(frozen=True)
class PictureView:
    """A picture beside the page."""

    address: str
    step: int
    title: str


@dataclass(frozen=True)
class CallView:
    """A tool call with what came of it."""

    kind: str
    name: str
    summary: str
    arguments: Shown
    output: Shown
    failed: bool
    seconds: float | None
    pictures: tuple[PictureView, ...]


@dataclass(frozen=True)
class StepView:
    """A step of the list."""

    number: int
    source: str
    at: float | None
    waited: float | None
    spent: str
    message: Shown
    reasoning: Shown
    calls: tuple[CallView, ...]
    tokens: Tokens | None
    cost_usd: float | None

    @property
    def tags(self) -> str:
        """What the list can be narrowed down to, as words."""
        words = [call.kind for call in self.calls]
        words += ["message"] if self.message.lead else []
        words += ["failed"] if any(call.failed for call in self.calls) else []
        words += ["pictures"] if any(call.pictures for call in self.calls) else []
        return " ".join(dict.fromkeys(words))


@dataclass(frozen=True)
class SessionView:
    """All of it. Without times in the file, `seconds` is 0 and the drawing goes by steps."""

    steps: tuple[StepView, ...]
    lanes: tuple[SessionLane, ...]
    ticks: tuple[tuple[float, float], ...]  # percent, seconds
    times: tuple[BarPart, ...]
    calls: tuple[BarPart, ...]
    filters: tuple[tuple[str, int], ...]
    pictures: tuple[PictureView, ...]
    trajectory: Trajectory
    seconds: float
    left_out: int
    lost_pictures: int


def read_session(folder: Path, media: Path, address: str) -> SessionView | None:
    """From a trial's folder; its pictures go to `media`, which the page reaches by `address`.

    Not every agent leaves a trajectory. One that cannot be read has no steps, and a note.
    """
    recorded = read_trajectory(folder)
    return None if recorded is None else lay_out_session(recorded, folder, media, address)


def lay_out_session(recorded: RecordedSession, folder: Path, media: Path, address: str) -> SessionView:
    trajectory = recorded.trajectory
    clocked, seconds = clock(trajectory.steps)
    writer = _Writer(folder, media, address)
    steps = tuple(
        writer.step(number, step, when)
        for number, (step, when) in enumerate(zip(trajectory.steps, clocked, strict=True), 1)
    )
    calls = Counter(call.kind for step in steps for call in step.calls)
    tags = Counter(tag for step in steps for tag in step.tags.split())
    return SessionView(
        steps=steps,
        lanes=lanes(trajectory.steps, clocked, seconds),
        ticks=ticks(seconds),
        times=shares(times(trajectory.steps, clocked)),
        calls=shares([(kind, calls[kind]) for kind in ALL_KINDS if calls[kind]]),
        filters=tuple((tag, tags[tag]) for tag in (*ALL_KINDS, "message", "failed", "pictures") if tags[tag]),
        pictures=writer.pictures,
        trajectory=trajectory,
        seconds=seconds,
        left_out=recorded.left_out,
        lost_pictures=recorded.lost_pictures,
    )


class _Writer:
    """Counts what the page already holds, and takes the pictures that are looked at."""

    def __init__(self, folder: Path, media: Path, address: str) -> None:
        self._folder, self._media, self._address = folder, media, address
        self._left = MAX_CHARACTERS
        self._taken: dict[str, str] = {}
        self._pictures: list[PictureView] = []

    @property
    def pictures(self) -> tuple[PictureView, ...]:
        return tuple(self._pictures)

    def step(self, number: int, step: Step, when: Clocked) -> StepView:
        results: dict[str, list[ToolResult]] = {}
        for result in step.results:
            results.setdefault(result.call, []).append(result)
        calls = [self._call(number, call, results.pop(call.id, []), when) for call in step.calls]
        # what came back without a call that asked for it
        calls += [
            self._call(number, ToolCall(one.call, "", {}), [one], when) for left in results.values() for one in left
        ]
        return StepView(
            number=number,
            source=step.source,
            at=when.at,
            waited=when.before.seconds if when.before else None,
            spent=when.spent,
            message=self._shown(step.message, lead_lines=1),
            reasoning=self._shown(step.reasoning, lead_lines=1),
            calls=tuple(calls),
            tokens=step.tokens,
            cost_usd=step.cost_usd,
        )

    def _call(self, number: int, call: ToolCall, results: Sequence[ToolResult], when: Clocked) -> CallView:
        kind = kind_of(call) if call.name else OTHER
        summary = summary_of(call)
        span = when.calls.get(call.id)
        return CallView(
            kind=kind,
            name=call.name or "result",
            summary=summary,
            arguments=self._shown(_arguments(call, summary), lead_lines=0),
            output=self._shown("\n".join(one.text for one in results if one.text)),
            failed=any(one.failed for one in results),
            seconds=span.seconds if span else None,
            pictures=tuple(
                self._picture(one, number, f"{call.name}: {summary}" if summary else call.name)
                for result in results
                for one in result.pictures
            ),
        )

    def _shown(self, text: str, lead_lines: int = _PREVIEW_LINES) -> Shown:
        text = text.strip("\n")
        lines = text.split("\n") if text else []
        most = _LEAD if lead_lines == 1 else _PREVIEW_CHARACTERS
        lead = "\n".join(lines[:lead_lines])[:most]
        self._left -= len(lead)
        if lead == text:
            return Shown(lead, lines=len(lines))
        whole = text[: max(min(_MAX_TEXT, self._left), 0)]
        self._left -= len(whole)
        return Shown(lead, whole, len(lines), len(text) - len(whole))

    def _picture(self, picture: Picture, step: int, title: str) -> PictureView:
        name = self._taken.get(picture.path)
        if name is None:
            ending = next(ending for ending, kind in IMAGE_KINDS.items() if kind == picture.media_type)
            name = f"seen-{len(self._taken) + 1:04d}{ending}"
            take(self._folder / picture.path, self._media / name)
            self._taken[picture.path] = name
        view = PictureView(f"{self._address}/{quote(name)}", step, title)
        self._pictures.append(view)
        return view


def _arguments(call: ToolCall, summary: str) -> str:
    """All of them, where the summary does not say it all."""
    texts = {key: as_text(value) for key, value in call.arguments.items()}
    if not texts or list(texts.values()) == [summary]:
        return ""
    return "\n".join(f"{key}:\n{text}" if "\n" in text else f"{key}: {text}" for key, text in texts.items())
