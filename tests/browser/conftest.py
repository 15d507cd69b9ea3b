"""What all tests of the report's pages share."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Dialog, Page, Request


def require_no_sideways_scrolling(page: Page, files: Iterable[Path], width: int) -> None:
    """With everything unfolded, each page is as wide as the window."""
    page.set_viewport_size({"width": width, "height": 740})
    for file in files:
        page.goto(file.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, file


@pytest.fixture
def quiet_page(page: Page) -> Iterator[None]:
    """Whatever a test does: no error on the console, no request but for files, nothing of a submission runs."""
    problems: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            problems.append(f"console: {message.text}")

    def on_request(request: Request) -> None:
        if not request.url.startswith("file:"):
            problems.append(f"request: {request.url}")

    def on_dialog(dialog: Dialog) -> None:
        problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("console", on_console)
    page.on("pageerror", lambda error: problems.append(f"error: {error}"))
    page.on("request", on_request)
    page.on("dialog", on_dialog)
    yield
    assert page.evaluate("window.pwned") is None
    assert problems == []
