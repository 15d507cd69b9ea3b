"""What a caller does with a page: input as from a person, pictures, and errors of the caller's own."""

import time

import cv2
import numpy as np
import pytest

from benchmark.errors import UsageError
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.runtime.stepped.site import Site, content_type
from tests.loops import run_async
from tests.stepped.conftest import OpenPage

pytestmark = pytest.mark.browser
NOTE = """
    window.log = [];
    for (const kind of ["keydown", "keyup", "mousedown", "mouseup", "click", "dblclick", "mousemove"])
        addEventListener(kind, (e) => log.push([kind, e.key ?? e.button ?? "", e.isTrusted, e.timeStamp]));
"""


def test_input_is_real_and_comes_between_two_frames(open_page: OpenPage) -> None:
    page = open_page(NOTE)
    page.advance(3)
    page.key_down("ArrowLeft")
    page.advance(3)
    page.key_up("ArrowLeft")
    page.mouse_move(50, 60)
    page.mouse_down()
    page.mouse_up()
    assert page.evaluate("log") == [
        ["keydown", "ArrowLeft", True, 50],
        ["keyup", "ArrowLeft", True, 100],
        ["mousemove", 0, True, 100],
        ["mousedown", 0, True, 100],
        ["mouseup", 0, True, 100],
        ["click", 0, True, 100],
    ]


def test_what_moves_under_a_pointer_at_rest_moves_no_pointer(open_page: OpenPage) -> None:
    """The browser makes such movements up, when it draws next by its own clock."""
    page = open_page(
        """
        window.log = [];
        for (const kind of ["mousemove", "mouseover", "mouseenter", "mouseout", "pointermove", "pointerover"])
            addEventListener(kind, (e) => log.push(kind), true);
        setTimeout(() => { document.body.innerHTML = "<div style='width: 900px; height: 600px'>x</div>" }, 100);
        """
    )
    page.advance(3)
    assert page.evaluate("log") == []
    page.mouse_move(50, 60)
    page.advance(1)
    log = page.evaluate("log.splice(0)")
    assert log.count("mousemove") == log.count("pointermove") == 1
    page.advance(12)
    time.sleep(0.3)
    page.advance(3)
    assert page.evaluate("log") == []


def test_text_goes_into_the_field_that_has_the_focus(open_page: OpenPage) -> None:
    page = open_page("field.focus()", "<input id=field>")
    page.type_text("Grüße 7")
    assert page.evaluate("field.value") == "Grüße 7"


def test_a_double_click_is_said_to_be_one(open_page: OpenPage) -> None:
    page = open_page(NOTE)
    for clicks in (1, 2):
        page.mouse_down(clicks=clicks)
        page.mouse_up(clicks=clicks)
    assert [kind for kind, *_ in page.evaluate("log") if "click" in kind] == ["click", "click", "dblclick"]


def test_a_key_that_no_keyboard_has_is_the_caller_s_error(open_page: OpenPage) -> None:
    page = open_page(NOTE)
    with pytest.raises(ValueError, match="Jump"):
        page.key_down("Jump")
    page.advance(1)
    assert page.evaluate("log") == []


def test_a_link_leads_to_another_page_of_the_site(open_page: OpenPage) -> None:
    page = open_page(
        "",
        "<a href='next/' style='font: 60px serif'>next</a>",
        files={"next/index.html": "<script>window.b = Date.now()</script>"},
    )
    page.advance(60)
    page.mouse_move(40, 40)
    page.mouse_down()
    page.mouse_up()
    page.advance(1)
    assert page.address == "/next/"
    assert page.evaluate("b - 1767225600000") == 1000
    assert (page.frames, page.troubles) == (61, ())


def test_time_does_not_go_back(open_page: OpenPage) -> None:
    with pytest.raises(ValueError, match="does not go back"):
        open_page("").advance(-1)


def test_the_entry_may_have_a_query_and_a_fragment(open_page: OpenPage) -> None:
    page = open_page("", entry="/index.html?level=2#infinite/3")
    assert page.evaluate("location.search + location.hash") == "?level=2#infinite/3"


def test_the_picture_shows_the_frame(open_page: OpenPage) -> None:
    page = open_page(
        "requestAnimationFrame(() => { document.body.style.background = 'rgb(20, 40, 60)' })", "<input autofocus>"
    )
    page.advance(2)
    one, same = page.screenshot(), page.screenshot()
    assert one == same
    image = cv2.imdecode(np.frombuffer(page.screenshot("jpeg"), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (720, 1280, 3)
    assert np.abs(image[700, 1200].astype(int) - (60, 40, 20)).max() < 4


def test_a_caller_with_an_event_loop_of_its_own_may_use_it(open_page: OpenPage) -> None:
    async def use() -> object:
        page = open_page("window.n = 5")
        page.advance(1)
        return page.evaluate("n")

    assert run_async(use) == 5


def test_a_site_is_described_rightly_or_refused(stepped: SteppedBrowser) -> None:
    assert stepped.confined
    with pytest.raises(UsageError, match="begins and ends with a slash"):
        Site({"games": stepped.browser.program})
    with pytest.raises(UsageError, match="one slash"):
        Site({"/": stepped.browser.program}, "//example.org/")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.JS", "text/javascript; charset=utf-8"), ("a.png", "image/png"), ("a.wasm", "application/wasm"),
        ("a.unknown", "application/octet-stream"), ("a", "application/octet-stream"),
        ("a.svg", "image/svg+xml; charset=utf-8"),
    ],
)  # fmt: skip
def test_a_file_has_the_type_of_its_ending(name: str, kind: str) -> None:
    assert content_type(name) == kind
