"""One page under the stepped clock: what a caller may do with it."""

import contextlib
from collections.abc import Coroutine
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from benchmark.errors import InfrastructureError
from benchmark.runtime.stepped.event_loop import EventLoopThread
from benchmark.runtime.stepped.troubles import Trouble

if TYPE_CHECKING:
    from benchmark.runtime.stepped.session import PageSession

Value = TypeVar("Value")
PictureKind = Literal["png", "jpeg"]
Button = Literal["left", "middle", "right"]
_CLOSE_SEC = 20.0
_SCROLL_DRAWS = 3  # another thread scrolls, and tells the page when it draws next


class SteppedPage:
    """Stands still between two calls. A context manager: at its end nothing of the page is left."""

    def __init__(self, thread: EventLoopThread, session: "PageSession") -> None:
        self._thread = thread
        self._session = session

    def __enter__(self) -> "SteppedPage":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        with contextlib.suppress(TimeoutError):  # the browser as a whole is ended later
            self._thread.run(self._session.close(), _CLOSE_SEC)

    @property
    def frames(self) -> int:
        """How many frames have passed since the page was opened, reloads included."""
        return self._session.frames

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        return self._session.troubles.all()

    @property
    def address(self) -> str:
        """Path, query and fragment of what is shown."""
        return self._session.address

    def advance(self, frames: int) -> None:
        """Let so many sixtieths of a second pass. Files that the page asks for meanwhile arrive after the last one."""
        if frames < 0:
            raise ValueError(f"{frames} frames: time does not go back")
        self._do(self._session.advance(frames), self._session.limits.advance_sec)

    def reload(self) -> None:
        """As a player would, by the browser's button: storage stays, the page begins again, time goes on."""
        self._do(self._session.reload(), self._session.limits.load_sec)

    def evaluate(self, expression: str, argument: object = None) -> Any:
        """The JSON value of an expression, or of calling it with `argument` if it is a function.

        Awaits what needs no time to pass. What JSON cannot say (NaN, a function) is None, and NaN a trouble `value`.
        """
        return self._do(self._session.evaluate(expression, argument, 0), self._session.limits.evaluate_sec)

    def call(self, expression: str, argument: object = None, frames_limit: int = 600) -> Any:
        """As `evaluate`, but frames pass while the value is awaited, at most so many."""
        return self._do(
            self._session.evaluate(expression, argument, frames_limit),
            self._session.limits.evaluate_sec + self._session.limits.advance_sec,
        )

    def screenshot(self, kind: PictureKind = "png", quality: int = 80) -> bytes:
        """What is to be seen in this frame."""
        return self._do(self._session.screenshot(kind, quality), self._session.limits.evaluate_sec)

    def key_down(self, key: str) -> None:
        """By its name in the DOM: `ArrowLeft`, `a`, `A`, `Space`. ValueError for a key that no keyboard has."""
        self._input(self._session.press(key, down=True))

    def key_up(self, key: str) -> None:
        self._input(self._session.press(key, down=False))

    def type_text(self, text: str) -> None:
        """Each character as a key that goes down and up within this frame."""
        self._input(self._session.page.keyboard.type(text))

    def mouse_move(self, x: float, y: float) -> None:
        self._session.pointed = True
        self._input(self._session.page.mouse.move(x, y))

    def mouse_down(self, button: Button = "left", clicks: int = 1) -> None:
        """`clicks` is 2 for the second press of a double click."""
        self._input(self._session.page.mouse.down(button=button, click_count=clicks))

    def mouse_up(self, button: Button = "left", clicks: int = 1) -> None:
        self._input(self._session.page.mouse.up(button=button, click_count=clicks))

    def wheel(self, dx: float, dy: float) -> None:
        self._input(self._session.page.mouse.wheel(dx, dy), draws=_SCROLL_DRAWS)

    def touch_tap(self, x: float, y: float) -> None:
        """A finger, for pages that were opened with `touch`."""
        self._input(self._session.page.touchscreen.tap(x, y))

    def _input(self, act: Coroutine[Any, Any, None], draws: int = 0) -> None:
        self._do(self._session.give_input(act, draws), self._session.limits.evaluate_sec)

    def _do(self, work: Coroutine[Any, Any, Value], limit_sec: float) -> Value:
        try:
            return self._thread.run(self._session.within(work, limit_sec), limit_sec + _CLOSE_SEC)
        except TimeoutError as error:
            raise InfrastructureError(f"the browser gave no answer for {limit_sec + _CLOSE_SEC:g} s") from error
