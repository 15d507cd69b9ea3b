"""A game in the stepped browser: begin, act, look, read, begin again."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmark.play.errors import BrokenGameError
from benchmark.play.game import PlayGame
from benchmark.play.goals import Goal
from benchmark.play.states import GameState, read_state
from benchmark.play.timeline import InputEvent, InputTimeline
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.runtime.stepped.errors import PageError
from benchmark.runtime.stepped.page import SteppedPage
from benchmark.runtime.stepped.site import Site

_SOURCE = (Path(__file__).with_name("page") / "game.js").read_text(encoding="utf-8").rstrip()
# Made once for each document: a function that is new each time is never compiled to more than a crawl.
_SCRIPT = f"(given) => (window[Symbol.for('what the harness asks')] ??= (\n{_SOURCE}\n))(given)"
GATE_FRAMES = 1800  # half a minute of play: in it a game must be ready, to begin with and after each reset
_PUMP = 6  # frames between two looks whether it has begun
_MOST_LOADS = 3
_ROUND = 30  # frames between two looks whether it is ready
JPEG_QUALITY = 75


@dataclass(frozen=True)
class Seen:
    """One frozen frame: the state, and a hash of what is to be seen. `look` gives the picture itself."""

    state: GameState
    pixels: str


class GamePage:
    """A context manager around one page. Raises BrokenGameError where the game fails."""

    def __init__(
        self, browser: SteppedBrowser, game: PlayGame, goal: Goal, seed: int, *, draw_all: bool = False
    ) -> None:
        mounts = {"/": game.folder} | ({"/base/": game.base} if game.base else {})
        self._game = game
        self._goal = goal
        self._seed = seed if goal.seed is None else goal.seed
        self._draw_all = draw_all  # also the frames that nobody sees: to show that it makes no difference
        self._sees_canvas: bool | None = None
        try:
            self._page: SteppedPage = browser.open(
                Site(mounts, entry=f"/{game.entry}{_suffix(goal.suffix)}"),
                width=game.width, height=game.height, seed=self._seed,
            )  # fmt: skip
        except PageError as error:
            raise BrokenGameError(f"the page does not load: {error.message}") from error

    def __enter__(self) -> "GamePage":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._page.close()

    @property
    def frames(self) -> int:
        return self._page.frames

    @property
    def troubles(self) -> tuple[dict[str, Any], ...]:
        """What the page did besides playing, for the record."""
        return tuple(
            {"kind": one.kind, "detail": one.detail[:300], "frame": one.frame, "count": one.count}
            for one in self._page.troubles
        )

    def begin(self) -> Seen:
        """Load, start the game at the task's level, and wait until an agent may act."""
        for _ in range(_MOST_LOADS):
            self._wait_for_api()
            if self._ask_to("begin", self._options):
                return self._gate()
        raise BrokenGameError("the page is loaded again each time that the game begins")

    def reset(self) -> Seen:
        """As `begin`, in the middle."""
        return self._gate() if self._ask_to("reset", {}) else self.begin()

    @property
    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {} if self._game.foreign else {"seed": self._seed}
        return options | ({"level": self._goal.level} if self._goal.level is not None else {})

    def perform(self, plan: InputTimeline) -> None:
        """Events and frames of one step."""
        try:
            passed = 0
            for event in plan.events:
                if event.frame > passed:
                    self._page.advance(event.frame - passed)
                    passed = event.frame
                self._give(event)
            if plan.frames > passed:
                self._page.advance(plan.frames - passed)
        except PageError as error:
            raise BrokenGameError(f"the game does not go on: {error.message}") from error

    def see(self) -> Seen:
        """The state, asked for exactly once, and the hash of the frame that goes with it."""
        answer = self._ask({"ask": "state", "pixels": self._sees_canvas is not False, "on_demand": not self._draw_all})
        if answer.get("missing"):
            raise BrokenGameError("window.gameAPI is gone")
        found = answer.get("pixels")
        self._sees_canvas = isinstance(found, str)
        pixels = f"canvas {found[:60]}" if isinstance(found, str) else self._screen_hash()
        return Seen(read_state(answer.get("text")), pixels)

    def look(self) -> bytes:
        """A JPEG of what is to be seen."""
        return self._shot("jpeg")

    def _screen_hash(self) -> str:
        return f"screen {hashlib.sha256(self._shot('jpeg')).hexdigest()[:16]}"

    def _shot(self, kind: Any) -> bytes:
        try:
            return self._page.screenshot(kind, JPEG_QUALITY)
        except PageError as error:
            raise BrokenGameError(f"no picture can be taken: {error.message}") from error

    def _wait_for_api(self) -> None:
        for _ in range(GATE_FRAMES // _ROUND):
            if self._ask({"ask": "there"}).get("answer") is True:
                self._ask({"ask": "focus"})
                return
            self._advance(_ROUND)
        raise BrokenGameError(f"no window.gameAPI with getState after {GATE_FRAMES // 60} s of play")

    def _ask_to(self, what: str, options: dict[str, Any]) -> bool:
        """Whether the same page is still there when it is done: a game may also load its page again."""
        try:
            answer = self._page.evaluate(_SCRIPT, {"ask": what, "options": options})
        except PageError as error:
            if self._ask({"ask": "outcome"}).get("gone"):
                return False  # it went before it could say that it began
            raise BrokenGameError(f"gameAPI: {what}: {error.message}") from error
        if not isinstance(answer, dict) or answer.get("started") is not True:
            raise BrokenGameError(f"gameAPI has no {what}")
        for _ in range(GATE_FRAMES // _PUMP):
            answer = self._ask({"ask": "outcome"})
            if answer.get("gone"):
                return False
            if answer.get("done"):
                if answer.get("ok") is not True:
                    notes = ", ".join(map(str, answer.get("notes") or [])) or "it says no more"
                    raise BrokenGameError(f"gameAPI: {what} was refused by the game: {notes}"[:300])
                return True
            self._advance(_PUMP)
        raise BrokenGameError(f"gameAPI: {what} gave no answer in {GATE_FRAMES // 60} s of play")

    def _gate(self) -> Seen:
        """Until an agent may act. The state is looked at now and then, so this is outside of any step."""
        self._advance(1)  # what the game was set to is drawn in its next frame, not before
        for _ in range(GATE_FRAMES // _ROUND):
            seen = self.see()
            if seen.state.actionable and not seen.state.terminal:
                return seen
            self._advance(_ROUND)
        raise BrokenGameError(f"never ready: status {seen.state.status!r} after {GATE_FRAMES // 60} s of play")

    def _advance(self, frames: int) -> None:
        try:
            self._page.advance(frames)
        except PageError as error:
            raise BrokenGameError(f"the game does not go on: {error.message}") from error

    def _ask(self, given: dict[str, Any]) -> dict[str, Any]:
        try:
            answer = self._page.evaluate(_SCRIPT, given)
        except PageError as error:
            raise BrokenGameError(f"gameAPI: {given['ask']}: {error.message}") from error
        return answer if isinstance(answer, dict) else {"answer": answer}

    def _give(self, event: InputEvent) -> None:
        page = self._page
        if event.kind == "key_down":
            page.key_down(event.key)
        elif event.kind == "key_up":
            page.key_up(event.key)
        elif event.kind == "mouse_move":
            page.mouse_move(*event.point)
        elif event.kind == "mouse_down":
            page.mouse_down(event.button)
        elif event.kind == "mouse_up":
            page.mouse_up(event.button)
        else:
            page.wheel(*event.point)


def _suffix(suffix: str) -> str:
    """`?level=2`, `#infinite/3`; a bare query of the public catalogue gets its question mark."""
    if not suffix or suffix[0] in "?#":
        return suffix
    return f"?{suffix.removeprefix('&')}"
