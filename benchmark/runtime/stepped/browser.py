"""Starting the browser and opening pages in it."""

import asyncio
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING

from benchmark.errors import InfrastructureError, MissingRuntimeError
from benchmark.runtime.browser import Browser, find_browser
from benchmark.runtime.stepped.confined import BrowserProgram, confined_program
from benchmark.runtime.stepped.event_loop import EventLoopThread
from benchmark.runtime.stepped.limits import PageLimits
from benchmark.runtime.stepped.page import SteppedPage
from benchmark.runtime.stepped.site import Site
from benchmark.runtime.stepped.watch import MemoryWatch

if TYPE_CHECKING:  # it takes a while to import: who opens no page needs none of it
    from playwright.async_api import Browser as RunningBrowser
    from playwright.async_api import Playwright

    from benchmark.runtime.stepped.session import PageSession

PLAYWRIGHT_FIX = "pip install playwright"
_START_SEC = 120.0
_STOP_SEC = 20.0
OPTIONS = (
    # One process for all frames of a page: the script reaches every one of them, before it runs anything.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,IsolateSandboxedIframes,site-per-process",
    # Drawn the same way each time.
    "--disable-smooth-scrolling",
    "--disable-threaded-animation",
    "--disable-checker-imaging",
    "--disable-partial-raster",
    "--force-color-profile=srgb",
    "--disable-lcd-text",
    "--blink-settings=imageAnimationPolicy=2",
    # Nothing goes out, even where no request is made that could be answered.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--dns-prefetch-disable",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--autoplay-policy=no-user-gesture-required",
)


class SteppedBrowser:
    """A context manager: one Chromium, and any number of pages that know nothing of each other."""

    def __init__(self, browser: Browser | None = None, limits: PageLimits | None = None) -> None:
        self.browser = browser or find_browser()
        self.limits = limits or PageLimits()
        self.confined = False  # known once it runs
        self._stack = ExitStack()
        self._watch: MemoryWatch | None = None
        self._thread: EventLoopThread | None = None
        self._playwright: Playwright
        self._running: RunningBrowser

    def __enter__(self) -> "SteppedBrowser":
        try:
            from playwright.async_api import Error as PlaywrightError
        except ImportError as error:
            raise MissingRuntimeError("playwright is not installed", fix=PLAYWRIGHT_FIX) from error
        self._thread = EventLoopThread("stepped-browser")
        try:
            program = self._stack.enter_context(confined_program(self.browser))
            self.confined = program.confined
            self._thread.run(self._start(program), _START_SEC)
        except (PlaywrightError, TimeoutError) as error:
            self._thread.stop()
            self._stack.close()
            raise InfrastructureError(f"{self.browser.program} did not start: {str(error)[:300]}") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        assert self._thread is not None
        try:
            self._thread.run(self._stop(), _STOP_SEC)
        finally:
            self._thread.stop()
            self._stack.close()

    def open(
        self, site: Site, *, width: int = 1280, height: int = 720, seed: int = 0, touch: bool = False
    ) -> SteppedPage:
        """A page on the site's entry, loaded, before its first frame."""
        assert self._thread is not None, "a SteppedBrowser is used in a with statement"
        session = self._thread.run(self._open(site, width, height, seed, touch), self.limits.load_sec + _STOP_SEC)
        return SteppedPage(self._thread, session)

    async def _start(self, program: BrowserProgram) -> None:
        from playwright.async_api import async_playwright

        self._playwright = await async_playwright().start()
        self._running = await self._playwright.chromium.launch(
            executable_path=program.program, headless=True, args=list(OPTIONS)
        )
        if program.process_file is not None:
            self._watch = MemoryWatch(program.process_file, self.limits.memory_bytes)
            self._watching = asyncio.ensure_future(self._watch.run())

    async def _open(self, site: Site, width: int, height: int, seed: int, touch: bool) -> "PageSession":
        from playwright.async_api import Error as PlaywrightError

        from benchmark.runtime.stepped.session import PageSession

        try:
            context = await self._running.new_context(
                viewport={"width": width, "height": height},
                device_scale_factor=1,
                has_touch=touch,
                locale="en-US",
                timezone_id="UTC",
                color_scheme="light",
                service_workers="block",
                accept_downloads=False,
            )
            session = PageSession(context, await context.new_page(), site, seed, self.limits)
            session.watch = self._watch
        except PlaywrightError as error:
            raise InfrastructureError(f"the browser opens no page: {str(error)[:300]}") from error
        try:
            await session.within(session.start(), self.limits.load_sec)
        except BaseException:
            await asyncio.shield(session.close())
            raise
        return session

    async def _stop(self) -> None:
        await self._running.close()
        await self._playwright.stop()
