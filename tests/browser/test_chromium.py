"""The Chromium that `find_browser` names really opens, runs and draws pages."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page

from benchmark.runtime.browser import Browser, read_version

pytestmark = pytest.mark.browser

PAGE = """<!doctype html>
<meta charset="utf-8">
<title>A page</title>
<style>body { background: rgb(20, 40, 60); color: white; font: 40px sans-serif } canvas { display: block }</style>
<button onclick="this.textContent = 'pressed'">press</button>
<p id="emoji" style="display: inline-block">😀</p>
<canvas width="200" height="100"></canvas>
"""


@pytest.fixture
def opened(page: Page, tmp_path: Path) -> Page:
    file = tmp_path / "a page with ü.html"
    file.write_text(PAGE, encoding="utf-8")
    page.goto(file.as_uri())
    return page


def picture(png: bytes) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image.astype(np.uint8)


def test_the_program_says_the_version_that_was_found(browser_program: Browser) -> None:
    assert read_version(browser_program.program) == browser_program.version


def test_a_file_page_opens_and_runs_scripts(opened: Page) -> None:
    assert opened.title() == "A page"
    assert opened.evaluate("[innerWidth, innerHeight]") == [1280, 800]


def test_a_click_reaches_the_page(opened: Page) -> None:
    opened.click("button")
    assert opened.inner_text("button") == "pressed"


def test_a_screenshot_shows_the_page(opened: Page) -> None:
    image = picture(opened.screenshot())
    assert image.shape == (800, 1280, 3)
    assert image[790, 1270].tolist() == [60, 40, 20]  # OpenCV's order: blue, green, red
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 20  # letters with smooth edges, so fonts are there


def test_emoji_are_drawn_in_colour(opened: Page, browser_program: Browser) -> None:
    blue, green, red = np.moveaxis(picture(opened.locator("#emoji").screenshot()).astype(int), 2, 0)
    yellow = (red > 200) & (green > 150) & (blue < 120)
    if browser_program.source.startswith("archive"):  # others draw with the machine's own fonts, in whatever colour
        assert yellow.mean() > 0.2
    else:
        assert red.std() > 0


def test_webgl_draws(opened: Page) -> None:
    opened.evaluate(
        """() => {
            const gl = document.querySelector("canvas").getContext("webgl2", { preserveDrawingBuffer: true });
            gl.clearColor(1, 0, 0, 1);
            gl.clear(gl.COLOR_BUFFER_BIT);
        }"""
    )
    assert picture(opened.locator("canvas").screenshot())[50, 100].tolist() == [0, 0, 255]


@pytest.mark.parametrize("turn", [1, 2])
def test_pages_do_not_share_storage(page: Page, tmp_path: Path, turn: int) -> None:
    file = tmp_path.parent / "shared-page.html"
    file.write_text("<p>shared", encoding="utf-8")
    page.goto(file.as_uri())
    assert page.evaluate("() => { const had = localStorage.length; localStorage.x = 1; return had; }") == 0
