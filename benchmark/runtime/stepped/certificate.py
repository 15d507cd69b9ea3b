"""Whether a page does the same again: twice on an idle machine, once with every core kept busy."""

import hashlib
import json
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from benchmark.checked import shown
from benchmark.errors import UsageError
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.runtime.stepped.errors import PageError
from benchmark.runtime.stepped.page import SteppedPage
from benchmark.runtime.stepped.site import Site
from benchmark.runtime.stepped.troubles import Trouble

Act = Literal["wait", "key", "click", "move"]
_MOST_FRAMES = 36_000
_HOLD_FRAMES = 6  # a key or a button stays down so long
_STATE = "() => window.gameAPI ? window.gameAPI.getState() : document.documentElement.outerHTML"
_BUSY_FACTOR = 2  # busy processes for each core


@dataclass(frozen=True)
class InputStep:
    """One step of a script: what is done, and how many frames pass from its beginning to its end."""

    act: Act = "wait"
    key: str = ""
    x: float = 0.0
    y: float = 0.0
    frames: int = 12


@dataclass(frozen=True)
class StepHash:
    """What was seen after one step."""

    state: str
    pixels: str


@dataclass(frozen=True)
class PageCertificate:
    """Whether three runs were the same. If not: the first step that differs, and in what."""

    steps: int
    same: bool
    reason: str
    troubles: tuple[Trouble, ...]

    @property
    def unsteady(self) -> tuple[Trouble, ...]:
        """What lets a run differ some day, even though these three did not."""
        return tuple(trouble for trouble in self.troubles if trouble.unsteady)


def parse_script(text: str) -> tuple[InputStep, ...]:
    """One step a line: `key ArrowLeft`, `click 640 360`, `move 10 20`, `wait 60` (frames)."""
    return tuple(_parse_step(line.split(), number) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def _parse_step(words: list[str], number: int) -> InputStep:
    try:
        match words:
            case ["key", key]:
                return InputStep("key", key=key)
            case ["click", x, y]:
                return InputStep("click", x=float(x), y=float(y))
            case ["move", x, y]:
                return InputStep("move", x=float(x), y=float(y))
            case ["wait", frames] if 0 < int(frames) <= _MOST_FRAMES:
                return InputStep(frames=int(frames))
    except ValueError:
        pass
    raise UsageError(
        f"line {number} of the script: {shown(' '.join(words))} is no step",
        fix=f"write key NAME, click X Y, move X Y or wait FRAMES (up to {_MOST_FRAMES})",
    )


def certify(browser: SteppedBrowser, site: Site, script: Sequence[InputStep], seed: int = 1) -> PageCertificate:
    """Run a script three times and compare after each step."""
    runs: list[list[StepHash]] = []
    troubles: tuple[Trouble, ...] = ()
    for load in ("idle", "idle again", "busy"):
        try:
            with busy_cores(load == "busy"), browser.open(site, seed=seed) as page:
                runs.append([_do(page, step) for step in (InputStep(), *script)])
                troubles = troubles or page.troubles
        except PageError as error:
            return PageCertificate(len(script) + 1, False, f"{load}: {error.message}", troubles)
    for number, (first, again, busy) in enumerate(zip(*runs, strict=True)):
        for load, other in (("idle again", again), ("busy", busy)):
            if first != other:
                what = "state" if first.state != other.state else "pixels"
                return PageCertificate(len(script) + 1, False, f"{load}: {what} differ after step {number}", troubles)
    return PageCertificate(len(script) + 1, True, "", troubles)


def _do(page: SteppedPage, step: InputStep) -> StepHash:
    held = min(_HOLD_FRAMES, step.frames)
    if step.act in ("click", "move"):
        page.mouse_move(step.x, step.y)
    if step.act == "key":
        page.key_down(step.key)
    if step.act == "click":
        page.mouse_down()
    page.advance(held)
    if step.act == "key":
        page.key_up(step.key)
    if step.act == "click":
        page.mouse_up()
    page.advance(step.frames - held)
    return look(page)


def look(page: SteppedPage) -> StepHash:
    """Hashes of state and picture in this frame."""
    state = json.dumps(page.evaluate(_STATE), sort_keys=True)
    return StepHash(_hash(state.encode()), _hash(page.screenshot()))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def busy_cores(wanted: bool) -> Iterator[None]:
    """Two processes for each core that only burn time, while this goes on."""
    context = multiprocessing.get_context("spawn")
    count = _BUSY_FACTOR * (os.cpu_count() or 1) if wanted else 0
    workers = [context.Process(target=_burn, daemon=True) for _ in range(count)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def _burn() -> None:
    number = 1
    while True:
        number = number * 48271 % 2147483647
