"""The site's files on their way to a page: between frames, never within one; nothing else gets an answer."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Route

from benchmark.runtime.stepped.site import Site, answer, is_own

_QUIET_SEC = 10.0  # a file of ours that takes longer holds no frame up any more
_MEDIA_QUIET_SEC = 1.0  # the browser takes of a film what it wants to have, when it wants it
_POLL_SEC = 0.001
Tell = Callable[[str, str], None]


@dataclass(frozen=True)
class _Asked:
    """A request without its answer yet."""

    url: str
    kind: str
    since: float


class Delivery:
    """Answers requests from a site's folders. While a page is being stepped, requests wait."""

    def __init__(self, site: Site, frame: Callable[[], int], tell: Tell, stays: Callable[[], None]) -> None:
        self._site = site
        self._frame = frame
        self._tell = tell
        self._stays = stays
        self._open = asyncio.Event()
        self._open.set()
        self._on_the_way: dict[str, _Asked] = {}  # by the browser's id
        self._workers: set[str] = set()

    @property
    def waiting(self) -> bool:
        """Whether the page has asked for something that it does not have yet."""
        return bool(self._on_the_way)

    def hold(self) -> None:
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    async def quiet(self) -> None:
        """Until everything that was asked for is there."""
        while self._on_the_way:
            now = time.monotonic()
            for request, asked in list(self._on_the_way.items()):
                if now - asked.since > (_MEDIA_QUIET_SEC if asked.kind == "Media" else _QUIET_SEC):
                    del self._on_the_way[request]
                    if asked.kind != "Media":
                        self._tell("slow", "a file was still on its way when the next frame began")
            await asyncio.sleep(_POLL_SEC)

    def on_sent(self, event: dict[str, Any]) -> None:
        asked = _Asked(event["request"]["url"], str(event.get("type")), time.monotonic())
        if asked.url in self._workers or (asked.kind == "Document" and not asked.url.startswith("http")):
            return  # of its own data, or a file to keep: nobody says when it is over
        self._on_the_way[event["requestId"]] = asked

    def on_over(self, event: dict[str, Any]) -> None:
        self._on_the_way.pop(event["requestId"], None)

    def forget(self, url: str) -> None:
        """The browser does not say when this is over: a document that never began, the script of a worker."""
        for request, asked in list(self._on_the_way.items()):
            if asked.url == url:
                del self._on_the_way[request]

    def on_worker(self, url: str) -> None:
        self._workers.add(url)
        self.forget(url)

    async def on_request(self, route: Route) -> None:
        await self._open.wait()
        request = route.request
        with contextlib.suppress(PlaywrightError):
            if not is_own(request.url):
                self._tell("network", f"{request.method} {request.url[:200]}")
                if request.is_navigation_request():
                    await route.fulfill(status=204)  # the document stays; an error page would take its place
                    self.forget(request.url)
                    self._stays()
                else:
                    await route.abort("blockedbyclient")
                return
            found = answer(self._site, request.url, request.headers.get("range"))
            if found.status == 404:
                self._tell("missing file", request.url[:200])
            headers = found.headers | {"server-timing": f"frame;dur={self._frame()}"}  # where a document begins
            await route.fulfill(status=found.status, headers=headers, body=found.body)
