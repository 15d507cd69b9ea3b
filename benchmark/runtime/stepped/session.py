"""One page as the harness drives it, on Playwright's thread: the clock, its files, what it does besides."""

import asyncio
import base64
import contextlib
import json
import secrets
from collections.abc import Coroutine
from typing import Any, TypeVar

from playwright.async_api import BrowserContext, CDPSession, ConsoleMessage, Dialog, Page
from playwright.async_api import Error as PlaywrightError

from benchmark.checked import parse_object, shown
from benchmark.errors import InfrastructureError
from benchmark.runtime.stepped.clock_script import ClockSettings, call_control
from benchmark.runtime.stepped.delivery import Delivery
from benchmark.runtime.stepped.errors import PageError, PageGoneError, PageHungError, PageScriptError
from benchmark.runtime.stepped.limits import PageLimits
from benchmark.runtime.stepped.site import ORIGIN, Site
from benchmark.runtime.stepped.troubles import TroubleLog
from benchmark.runtime.stepped.watch import MemoryWatch
from benchmark.untrusted import UnreadableFileError, parse_json

Value = TypeVar("Value")
_NAVIGATION_SEC = 5.0  # between a page's wish to leave and the new document
_MOST_NAVIGATIONS = 20  # while one thing is being done
_END_SEC = 3.0
_WORD_SEC = 1.0
_PUMP_FRAMES = 6  # at a time, while a call is awaited
_SETTLE_TURNS = 4
_HOVER_DRAWS = 2
# What Chromium says when the document that was asked is no longer there.
_LEFT = ("context was destroyed", "Cannot find context", "navigated or closed", "Promise was collected")


class PageSession:
    """Made by `open_session`. Whatever is asked of it goes through `within`, which ends a page that hangs."""

    def __init__(self, context: BrowserContext, page: Page, site: Site, seed: int, limits: PageLimits) -> None:
        self.context = context
        self.page = page
        self.limits = limits
        self.watch: MemoryWatch | None = None
        self.frames = 0
        self.troubles = TroubleLog()
        self._site = site
        self._seed = seed
        self._key = secrets.token_hex(16)
        self._cdp: CDPSession
        self._ended: str | None = None
        self._gone = asyncio.Event()
        self._document = 0  # how many the page has had
        self._loaded = asyncio.Event()
        self._navigated = asyncio.Event()  # or it has become clear that nothing comes
        self.delivery = Delivery(site, lambda: self.frames, self.trouble, self._navigated.set)
        self._navigations = 0
        self.pointed = False  # whether there is a pointer to be under
        self._draws = 0
        self._touched = False  # whether something happened to the page since it last stood still

    @property
    def address(self) -> str:
        return self.page.url.removeprefix(ORIGIN)

    def trouble(self, kind: str, detail: str, count: int = 1) -> None:
        self.troubles.add(kind, detail, self.frames, count)

    async def start(self) -> None:
        """Load the entry; afterwards no frame has passed."""
        self._listen()
        self._cdp = await self.context.new_cdp_session(self.page)
        for domain in ("Page", "Network", "Runtime"):
            await self._cdp.send(f"{domain}.enable")
        self._cdp.on("Page.frameNavigated", self._on_navigated)
        self._cdp.on("Page.loadEventFired", lambda _: self._loaded.set())
        self._cdp.on("Network.requestWillBeSent", self.delivery.on_sent)
        self._cdp.on("Network.loadingFinished", self.delivery.on_over)
        self._cdp.on("Network.loadingFailed", self.delivery.on_over)
        await self.context.route("**/*", self.delivery.on_request)
        source = ClockSettings(self._key, self._seed).script()
        await self._cdp.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        await self.page.goto(self._site.address, wait_until="commit", timeout=0)
        await self._loaded.wait()
        self._touched = True
        await self._stand_still()

    async def within(self, work: Coroutine[Any, Any, Value], limit_sec: float) -> Value:
        """Do something with the page under a limit of real time."""
        if self._ended is not None:
            work.close()
            raise PageGoneError(f"the page is gone: {self._ended}")
        self._navigations = 0
        doing = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(self._gone.wait())
        try:
            await asyncio.wait({doing, gone}, timeout=limit_sec, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():  # a browser gives no answer for a process that it has lost
                raise PageGoneError(f"the page is gone: {self._ended}")
            if not doing.done():
                await self.end(f"it did not give way for {limit_sec:g} s")
                raise PageHungError(f"the page did not give way for {limit_sec:g} s of real time")
            return doing.result()
        except PlaywrightError as error:
            with contextlib.suppress(TimeoutError):  # the word that a process is lost may come after its last answer
                await asyncio.wait_for(self._gone.wait(), _WORD_SEC)
            if self._ended is not None:
                raise PageGoneError(f"the page is gone: {self._ended}") from error
            raise InfrastructureError(f"the browser failed: {error.message[:300]}") from error
        finally:
            for task in (doing, gone):
                task.cancel()
            await asyncio.wait({doing, gone})
            with contextlib.suppress(asyncio.CancelledError, PlaywrightError, PageError):
                doing.exception()

    async def advance(self, frames: int) -> None:
        await self._stand_still()
        left = frames
        while left > 0:
            document = self._document
            self.delivery.hold()
            try:
                answer = await self._control(f"advance({left})")
            except PlaywrightError as error:
                self._check_left(error)
                self.trouble("lost navigation", "a document was left without notice, within a frame")
                self.frames += left
                left = 0
                await self._follow(document)
                continue
            done = answer.get("done")
            if not isinstance(done, int) or not 0 <= done <= left:
                raise PageScriptError(f"the page's clock says that {done!r} of {left} frames have passed")
            self.frames += done
            left -= done
            if answer.get("leaving") is True:
                await self._follow(document)
            elif self.delivery.waiting:
                self._touched = True
                await self._stand_still()
        self.delivery.release()

    async def reload(self) -> None:
        document = self._document
        self.delivery.release()
        await self._cdp.send("Page.reload")
        await self._follow(document)

    async def give_input(self, act: Coroutine[Any, Any, None], draws: int = 0) -> None:
        """`draws`: how often the browser must draw until the page has noticed."""
        await act
        self._touched = True
        self._draws = max(self._draws, draws)

    async def press(self, key: str, *, down: bool) -> None:
        keyboard = self.page.keyboard
        try:
            await (keyboard.down(key) if down else keyboard.up(key))
        except PlaywrightError as error:
            if "Unknown key" in error.message:
                raise ValueError(f"{shown(key)} is no key of a keyboard") from error
            raise

    async def evaluate(self, expression: str, argument: object, frames_limit: int) -> Any:
        await self._stand_still()
        given = json.dumps(argument)
        call = call_control(self._key, f"ask(__run, {given})").replace("__run", f"() => ({expression})", 1)
        began = self.frames
        await self._plain(call)
        while True:
            await self._control(f"settle({_SETTLE_TURNS}, 0)")
            answer = await self._plain(call_control(self._key, "asked()"))
            if isinstance(answer, str):
                self._touched = True
                return self._read_answer(answer)
            left = frames_limit - (self.frames - began)
            if left <= 0:
                raise PageScriptError(f"the value was not there after {frames_limit} frames: {expression[:80]}")
            await self.advance(min(left, _PUMP_FRAMES))

    async def screenshot(self, kind: str, quality: int) -> bytes:
        # What lies under the pointer shows it one drawing after it came there.
        self._draws = max(self._draws, _HOVER_DRAWS if self.pointed else 0)
        self._touched = True
        await self._stand_still()
        options: dict[str, object] = {"format": kind, "optimizeForSpeed": True}
        if kind == "jpeg":
            options["quality"] = quality
        taken = await self._cdp.send("Page.captureScreenshot", options)
        return base64.b64decode(taken["data"])

    async def end(self, why: str) -> None:
        """Take the page's process away; needs nothing of the page."""
        if self._ended is None:
            self._ended = why
            self.trouble("ended", why)
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(self._cdp.send("Page.crash"), _END_SEC)

    async def close(self) -> None:
        self.delivery.release()
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(self.context.close(), 2 * _END_SEC)

    async def _stand_still(self) -> None:
        """Wait for files on their way, and for what they lead to."""
        self.delivery.release()
        while self._touched or self.delivery.waiting:
            self._touched = False
            document = self._document
            await self.delivery.quiet()
            try:
                draws, self._draws = self._draws, 0
                answer = await self._control(f"settle({_SETTLE_TURNS}, {draws})")
            except PlaywrightError as error:
                self._check_left(error)
                await self._follow(document)
                continue
            if answer.get("leaving") is True:
                await self._follow(document)

    async def _follow(self, document: int) -> None:
        """After a page has begun to leave: wait for what comes instead, if something comes."""
        self._navigations += 1
        if self._navigations > _MOST_NAVIGATIONS:
            await self.end(f"it left for another document {_MOST_NAVIGATIONS} times in a row")
            raise PageHungError(f"the page left for another document {_MOST_NAVIGATIONS} times in a row")
        self.delivery.release()
        if self._document == document:
            self._navigated.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._navigated.wait(), _NAVIGATION_SEC)
        if self._document == document:
            with contextlib.suppress(PlaywrightError):
                await self._plain(call_control(self._key, "stay()"))
        else:
            await self._loaded.wait()
        self._touched = True
        await self._stand_still()

    async def _plain(self, expression: str, *, awaited: bool = False) -> Any:
        """Evaluated in the page's own world; only a primitive value is taken."""
        done = await self._cdp.send(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": awaited}
        )
        if "exceptionDetails" in done:
            raised = done["exceptionDetails"].get("exception", {}).get("description", "an exception")
            raise PageScriptError(f"the page's world is broken: {str(raised)[:200]}")
        return done["result"].get("value")

    async def _control(self, call: str) -> dict[str, Any]:
        text = await self._plain(call_control(self._key, call), awaited=True)
        answer = parse_object(text) if isinstance(text, str) else {}
        self._take_notes(answer)
        return answer

    def _read_answer(self, text: str) -> Any:
        answer = parse_object(text)
        self._take_notes(answer)
        value = answer.get("text")
        if answer.get("ok") is not True or not isinstance(value, str):
            raise PageScriptError(f"the page's answer: {str(value)[:300]}")
        try:
            return parse_json(value)
        except UnreadableFileError as error:
            raise PageScriptError(f"the page's answer {error}") from error

    def _take_notes(self, answer: dict[str, Any]) -> None:
        notes = answer.get("notes")
        for key, count in notes.items() if isinstance(notes, dict) else ():
            kind, _, detail = key.partition("\n")
            self.trouble(kind, detail, int(count))

    def _check_left(self, error: PlaywrightError) -> None:
        if self._ended is not None or not any(said in error.message for said in _LEFT):
            raise error

    def _on_navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        if frame.get("parentId") is None:
            self._document += 1
            self._loaded.clear()
            self._navigated.set()
            if not frame["url"].startswith(ORIGIN + "/"):
                self.trouble("navigation", f"the page left for {frame['url'][:200]}")
        elif (
            frame.get("securityOrigin") != ORIGIN
        ):  # also a frame of the site in a sandbox: the clock does not reach it
            self.trouble("foreign frame", frame["url"][:200])

    def _listen(self) -> None:
        page = self.page
        page.on("pageerror", lambda error: self.trouble("error", str(error)))
        page.on("console", self._on_console)
        page.on("dialog", lambda dialog: asyncio.ensure_future(self._answer_dialog(dialog)))
        page.on("popup", lambda opened: asyncio.ensure_future(self._close_popup(opened)))
        page.on("download", lambda file: self.trouble("download", file.suggested_filename))
        page.on("filechooser", lambda _: self.trouble("dialog", "a file was asked for"))
        page.on("crash", lambda _: self._crashed())
        page.on("worker", lambda worker: self.delivery.on_worker(worker.url))
        page.on("websocket", lambda socket: self.trouble("network", socket.url))

    def _on_console(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.trouble("console error", said.text)

    def _crashed(self) -> None:
        if self._ended is None:
            over = self.watch is not None and self.watch.just_killed
            self._ended = f"it used more than {self.limits.memory_bytes >> 20} MiB" if over else "its process crashed"
            self.trouble("crash", self._ended)
            self._gone.set()

    async def _answer_dialog(self, dialog: Dialog) -> None:
        with contextlib.suppress(PlaywrightError):
            if dialog.type == "beforeunload":
                await dialog.accept()
                return
            self.trouble("dialog", f"{dialog.type}: {dialog.message}")
            await dialog.dismiss()

    async def _close_popup(self, opened: Page) -> None:
        self.trouble("popup", opened.url)
        with contextlib.suppress(PlaywrightError):
            await opened.close()
